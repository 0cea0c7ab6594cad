import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listPayments, previewPayment } from '../admin-contract.ts'
import { ConfirmExactRow } from './confirm-exact-row.tsx'
import { effectQuery } from './effect-query.ts'
import {
  confirmDecision,
  type ExactPayment,
  exactPayments,
  paymentsText,
  useConfirmExact,
} from './use-confirm-exact.ts'

/** A dialog that previews the payments that match an invoice exactly, and confirms them. Open on first render; give it a new key for each opening. */
export function ConfirmExactDialog({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const [open, setOpen] = useState(true)
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set())
  const [opened, setOpened] = useState<ExactPayment[]>()
  const confirmButton = useRef<HTMLButtonElement>(null)
  const list = useQuery({ ...query(listPayments, { query: { tab: 'waiting' } }), refetchOnMount: 'always' })
  const { run, start } = useConfirmExact(() => setOpen(false))
  const current = exactPayments(list.data?.rows ?? [])
  if (!opened && list.data && list.isFetchedAfterMount) setOpened(current)
  const rows = opened ?? []
  const { data: previews } = useQuery({
    queryKey: [previewPayment.id, rows.map(({ id, version }) => [id, version])],
    queryFn: (context) =>
      Promise.all(
        rows.map((row) =>
          effectQuery(row, confirmDecision(row))
            .queryFn(context)
            .then(
              (effect) => ({ effect, reason: effect.refusal?.message }),
              (failure: unknown) => ({ effect: undefined, reason: messageOf(failure) }),
            ),
        ),
      ),
    enabled: rows.length > 0 && !run,
    staleTime: 0,
  })

  /** Returns why a payment is left out; undefined if it can be confirmed. */
  const reasonFor = (row: ExactPayment, index: number): string | undefined => {
    if (run) return run.reasons.get(row.id)
    if (!current.some(({ id, version }) => id === row.id && version === row.version))
      return 'This payment has changed since you opened this dialog.'
    return previews?.[index]?.reason
  }
  const included = rows.filter((row, index) => !leftOut.has(row.id) && reasonFor(row, index) === undefined)
  const total = formatCents(included.reduce((sum, { openCents }) => sum + openCents, 0))
  const isRunning = run?.isRunning ?? false
  const canConfirm = previews !== undefined && included.length > 0

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isRunning && setOpen(next)}
      title={rows.length > 0 ? `Confirm ${paymentsText(rows.length)}?` : 'Confirm payments'}
      description={
        run && !isRunning
          ? `${run.done.length} of ${paymentsText(run.asked.length)} confirmed.`
          : 'The reference and amount of each payment match. Each payment is confirmed individually.'
      }
      size="form"
      initialFocus={confirmButton}
      returnTo={returnTo}
      footer={
        run && !isRunning ? (
          <Button onClick={() => setOpen(false)}>Done</Button>
        ) : (
          <>
            <Button variant="line" disabled={isRunning} onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button
              ref={confirmButton}
              pending={isRunning}
              aria-disabled={!canConfirm}
              onClick={() => canConfirm && void start(included)}
            >
              {included.length > 0 ? `Confirm ${included.length}, ${total}` : 'Confirm'}
            </Button>
          </>
        )
      }
    >
      {list.error && !opened ? (
        <ErrorState title="Error loading data" message={messageOf(list.error)} onRetry={() => void list.refetch()} />
      ) : opened ? (
        <ul className="exact-list">
          {rows.map((row, index) => (
            <ConfirmExactRow
              key={row.id}
              payment={row}
              preview={previews?.[index]?.effect}
              reason={reasonFor(row, index)}
              isIncluded={!leftOut.has(row.id)}
              isDone={run?.done.includes(row.id) ?? false}
              isFixed={run !== undefined}
              onInclude={(isIncluded) => {
                const next = new Set(leftOut)
                if (isIncluded) next.delete(row.id)
                else next.add(row.id)
                setLeftOut(next)
              }}
            />
          ))}
          {rows.length === 0 && <li>No payment currently matches an invoice exactly.</li>}
        </ul>
      ) : (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Loading the payments</span>
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
      )}
    </Dialog>
  )
}
