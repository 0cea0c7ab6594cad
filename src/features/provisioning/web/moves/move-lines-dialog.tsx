import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getPanelStatus, listLineJobs } from '../../admin-contract.ts'
import { listMoveRuns, previewMove, startMove } from '../../admin-moves-contract.ts'
import { MovePreviewFacts } from './move-preview-facts.tsx'

interface Props {
  panels: Output<typeof listMoveRuns>['panels']
  returnTo: () => HTMLElement | null
}

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

/** The dialog that moves all lines of a panel to another one: previews the move and starts it. */
export function MoveLinesDialog({ panels, returnTo }: Props) {
  const [open, setOpen] = useState(true)
  const [from, setFrom] = useState(panels.find(({ lines }) => lines > 0)?.id ?? panels[0]!.id)
  const [chosen, setTo] = useState(0)
  const targets = panels.filter(({ id, acceptsLines }) => id !== from && acceptsLines)
  const to = targets.some(({ id }) => id === chosen) ? chosen : (targets[0]?.id ?? 0)
  const { data, error, refetch } = useQuery({
    ...query(previewMove, { query: { from, to } }),
    enabled: to !== 0,
  })
  const start = useSend(startMove, [listMoveRuns, listLineJobs, getPanelStatus])
  const count = data?.lines ?? 0
  const send = () =>
    start.mutate(
      { body: { from, to, expected: count } },
      {
        onSuccess: () => {
          toast({ title: 'Move started', description: `${linesOf(count)} queued. The page shows the progress.` })
          setOpen(false)
        },
      },
    )
  const failure = start.error ?? error
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !start.isPending && setOpen(next)}
      title="Move Lines"
      description="All lines of a panel are created on another one, one at a time. Each stays usable until its new line exists."
      size="form"
      returnTo={returnTo}
      footer={
        <>
          {failure && (
            <FormError
              message={messageOf(failure)}
              onReload={async () => void (await refetch().then(() => start.reset()))}
            />
          )}
          <Button variant="line" onClick={() => setOpen(false)}>
            Cancel
          </Button>
          <Button pending={start.isPending} aria-disabled={count === 0} onClick={() => count > 0 && send()}>
            {count === 0 ? 'Move Lines' : `Move ${linesOf(count).replace('l', 'L')}`}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="From">
          <NativeSelect value={from} onChange={({ target }) => setFrom(Number(target.value))}>
            {panels.map(({ id, name, lines }) => (
              <option key={id} value={id}>
                {name} ({linesOf(lines)})
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field label="To" hint={targets.length === 0 ? 'No other panel accepts new lines.' : undefined}>
          <NativeSelect value={to} onChange={({ target }) => setTo(Number(target.value))}>
            {targets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <div role="status" className="grid gap-4">
          {data && <MovePreviewFacts preview={data} />}
        </div>
      </div>
    </Dialog>
  )
}
