import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { DialogError } from '#web/ui/form/dialog-error.tsx'
import { Note } from '#web/ui/note.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  countRepairableDrift,
  getPanelStatus,
  listLineDrift,
  listLineJobs,
  type RepairableKind,
  repairLineDrift,
} from '../admin-contract.ts'
import { repairTexts } from './line-texts.ts'

interface Props {
  /** The counts that the button showed. */
  first: Output<typeof countRepairableDrift>
  returnTo: () => HTMLElement | null
}

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

/** Several differences at once: what would be done at the panel, for whom, and one button that queues all of it. */
export function RepairLinesDialog({ first, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const { data = first, refetch } = useQuery(query(countRepairableDrift))
  const [left, leave] = useState<readonly RepairableKind[]>([])
  const mend = useSend(repairLineDrift, [listLineDrift, countRepairableDrift, listLineJobs, getPanelStatus])
  const chosen = data.counts.filter(({ kind }) => !left.includes(kind))
  const total = chosen.reduce((sum, { count }) => sum + count, 0)
  const now = Math.min(total, data.most)
  const send = () =>
    mend.mutate(
      { body: { kinds: chosen.map(({ kind }) => kind), expected: total } },
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
      onOpenChange={(next) => !mend.isPending && setOpen(next)}
      title="Repair Lines"
      description="The panel is changed to match our records, one line after the other."
      size="form"
      returnTo={returnTo}
      footer={
        <>
          {mend.error && (
            <DialogError
              message={messageOf(mend.error)}
              onReload={async () => void (await refetch().then(() => mend.reset()))}
            />
          )}
          <Button variant="line" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button pending={mend.isPending} aria-disabled={total === 0} onClick={() => total > 0 && send()}>
            {total === 0 ? 'Repair Lines' : `Repair ${linesOf(now).replace('l', 'L')}`}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {data.counts.length === 0 && <p role="status">Nothing is left to repair.</p>}
        {data.counts.map(({ kind, count }) => (
          <Checkbox
            key={kind}
            label={`${linesOf(count)}: ${repairTexts[kind].does}`}
            hint={repairTexts[kind].why}
            checked={!left.includes(kind)}
            onChange={({ target }) =>
              leave((before) => (target.checked ? before.filter((one) => one !== kind) : [...before, kind]))
            }
          />
        ))}
        {data.customers.length > 0 && (
          <p className="wrap-anywhere text-fg-2">
            Customers concerned: {data.customers.join(', ')}
            {data.counts.reduce((sum, { count }) => sum + count, 0) > data.customers.length && ' and more'}.
          </p>
        )}
        {total > data.most && <Note>One repair does at most {linesOf(data.most)}. The others stay listed.</Note>}
        {data.costsCredits && chosen.some(({ kind }) => kind !== 'state') && (
          <Note tone="warn">This panel sells periods: each new line and each extension costs credits.</Note>
        )}
        <p className="text-fg-2">
          Lines of the panel that belong to no customer here are not part of this. Decide about them one by one.
        </p>
      </div>
    </Dialog>
  )
}
