import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getPanelStatus, listLineJobs } from '../admin-contract.ts'
import { countRepairableDrift, listLineDrift, type RepairableKind, repairLineDrift } from '../admin-drift-contract.ts'
import { repairTexts } from './line-texts.ts'

interface Props {
  /** The counts that the page showed when the dialog was opened. */
  first: Output<typeof countRepairableDrift>
  returnTo: () => HTMLElement | null
}

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

/** The dialog that repairs all differences of the chosen kinds: shows what changes in the panel and for whom, and queues the repairs. */
export function RepairLinesDialog({ first, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [panelId, setPanelId] = useState<number>()
  const { data = first, refetch } = useQuery(
    query(countRepairableDrift, { query: panelId === undefined ? {} : { panelId } }),
  )
  const [excluded, setExcluded] = useState<readonly RepairableKind[]>([])
  const repair = useSend(repairLineDrift, [listLineDrift, countRepairableDrift, listLineJobs, getPanelStatus])
  const chosen = data.counts.filter(({ kind }) => !excluded.includes(kind))
  const total = chosen.reduce((sum, { count }) => sum + count, 0)
  const now = Math.min(total, data.most)
  const send = () =>
    repair.mutate(
      { body: { kinds: chosen.map(({ kind }) => kind), expected: total, panelId } },
      {
        onSuccess: ({ queued }) => {
          toast({
            title: 'Repair started',
            description: `${linesOf(queued)} queued. The list above shows the progress.`,
          })
          setOpen(false)
        },
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
      },
    )
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !repair.isPending && setOpen(next)}
      title="Repair Lines"
      description="The panel is changed to match our records, one line at a time."
      size="form"
      returnTo={returnTo}
      footer={
        <>
          {repair.error && (
            <FormError
              message={messageOf(repair.error)}
              onReload={async () => void (await refetch().then(() => repair.reset()))}
            />
          )}
          <Button variant="line" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button pending={repair.isPending} aria-disabled={total === 0} onClick={() => total > 0 && send()}>
            {total === 0 ? 'Repair Lines' : `Repair ${linesOf(now).replace('l', 'L')}`}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {first.panels.length > 1 && (
          <Field label="Panel">
            <NativeSelect
              value={panelId ?? ''}
              onChange={({ target }) => setPanelId(target.value === '' ? undefined : Number(target.value))}
            >
              <option value="">All panels</option>
              {first.panels.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </NativeSelect>
          </Field>
        )}
        {data.counts.length === 0 && <p role="status">There is nothing to repair.</p>}
        {data.counts.map(({ kind, count }) => (
          <Checkbox
            key={kind}
            label={`${linesOf(count)}: ${repairTexts[kind].does}`}
            hint={repairTexts[kind].why}
            checked={!excluded.includes(kind)}
            onChange={({ target }) =>
              setExcluded((before) => (target.checked ? before.filter((one) => one !== kind) : [...before, kind]))
            }
          />
        ))}
        {data.customers.length > 0 && (
          <p className="wrap-anywhere text-fg-2">
            Affected customers: {data.customers.join(', ')}
            {data.counts.reduce((sum, { count }) => sum + count, 0) > data.customers.length && ' and more'}.
          </p>
        )}
        {total > data.most && <Note>One repair changes at most {linesOf(data.most)}. The others stay listed.</Note>}
        {data.costsCredits && chosen.some(({ kind }) => kind !== 'state') && (
          <Note tone="warn">This panel sells periods: each new line and each extension costs credits.</Note>
        )}
        <p className="text-fg-2">Unknown lines are not included. Resolve them one by one.</p>
      </div>
    </Dialog>
  )
}
