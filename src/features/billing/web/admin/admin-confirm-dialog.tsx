import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { type AdminInvoice, getInvoicesToConfirm, maxConfirmations } from '../../admin-contract.ts'
import { reviewFlags } from '../../rules.ts'
import { AdminConfirmRow } from './admin-confirm-row.tsx'
import { paymentsText, useConfirmPayments } from './use-confirm-payments.ts'

interface Props {
  chosen: readonly AdminInvoice[]
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
  /** Called with the confirmed invoices, which are then deselected. */
  onConfirmed: (invoiceIds: number[]) => void
}

/** Shows the current state of several payments for review, and confirms each payment individually. */
export function AdminConfirmDialog({ chosen, returnTo, onConfirmed }: Props) {
  const [open, setOpen] = useState(true)
  const [ids] = useState(() => chosen.slice(0, maxConfirmations).map(({ id }) => id))
  const [left] = useState(chosen.length - ids.length)
  // Keyed by id and version, so that a choice is dropped if the invoice has changed since then.
  const [choices, setChoices] = useState<Record<string, boolean>>({})
  const { data: me } = useQuery(query(currentUser))
  const { run, start, error, restart } = useConfirmPayments(onConfirmed)
  const preview = useQuery({
    ...query(getInvoicesToConfirm, { query: { invoiceIds: ids.join(',') } }),
    refetchOnMount: 'always',
    enabled: !run,
  })

  const rows = run?.rows ?? preview.data ?? []
  const keyOf = ({ id, version }: AdminInvoice) => `${id}:${version}`
  const isIncluded = (row: AdminInvoice) =>
    row.status === 'pending' && (choices[keyOf(row)] ?? reviewFlags(row, me?.id).length === 0)
  const included = rows.filter(isIncluded)
  const total = included.reduce((sum, { amount }) => sum + amount, 0)
  const done = run?.results.filter((result) => result.done).length ?? 0
  const isRunning = run?.isRunning ?? false

  const send = () =>
    void start(
      rows,
      included.map((row) => ({
        invoiceId: row.id,
        version: row.version,
        expectedAmount: row.amount,
        acknowledged: choices[keyOf(row)] === true,
      })),
    )
  const reload = async () => {
    await preview.refetch()
    restart()
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isRunning && setOpen(next)}
      title="Confirm Payments"
      description={
        run && !isRunning
          ? `${done} of ${paymentsText(run.requestedIds.length)} confirmed.`
          : 'Each payment is confirmed individually.'
      }
      size="form"
      returnTo={returnTo}
      footer={
        isRunning ? (
          <ConfirmProgress done={run!.results.length} of={run!.requestedIds.length} />
        ) : run ? (
          <>
            {error && <FormError message={messageOf(error)} onReload={reload} />}
            <Button onClick={() => setOpen(false)}>Done</Button>
          </>
        ) : (
          <>
            <p className="mr-auto self-center max-sm:order-1 max-sm:self-start" role="status">
              {paymentsText(included.length)}, <b className="num">{formatCents(total)}</b>
            </p>
            <Button variant="line" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button aria-disabled={included.length === 0} onClick={() => included.length > 0 && send()}>
              {included.length === 0
                ? 'Confirm Payments'
                : `Confirm ${paymentsText(included.length).replace('p', 'P')}`}
            </Button>
          </>
        )
      }
    >
      {left > 0 && (
        <Note className="mb-3">
          You can confirm at most {maxConfirmations} payments at a time. {paymentsText(left)} more stay selected.
        </Note>
      )}
      {preview.error && !run ? (
        <FormError message={messageOf(preview.error)} onReload={async () => void (await preview.refetch())} />
      ) : rows.length === 0 ? (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Loading the invoices</span>
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </div>
      ) : (
        <ul>
          {rows.map((row) => (
            <AdminConfirmRow
              key={row.id}
              invoice={row}
              flags={reviewFlags(row, me?.id)}
              included={isIncluded(row)}
              onInclude={(next) => setChoices((before) => ({ ...before, [keyOf(row)]: next }))}
              result={run?.results.find(({ invoiceId }) => invoiceId === row.id)}
              step={
                !run ? 'choose' : !run.requestedIds.includes(row.id) ? 'left-out' : isRunning ? 'waiting' : 'unanswered'
              }
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** Shows the progress of the bulk confirmation. It has no buttons, because the confirmation cannot be cancelled. */
function ConfirmProgress({ done, of }: { done: number; of: number }) {
  const label = `${done} of ${paymentsText(of)} done`
  return (
    <div className="w-full" role="status">
      <p className="mb-1.5 flex items-center gap-2">
        <Spinner /> Confirming: {label}
      </p>
      <Meter value={done} max={of} label={label} />
    </div>
  )
}
