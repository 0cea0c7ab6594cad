import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { messageOf } from '#kit/caller.ts'
import type { Output } from '#kit/endpoint.ts'
import { formatCents } from '#kit/money.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogTrouble } from '#web/ui/dialog-trouble.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { confirmPayments, getInvoiceEvidence, getInvoicesToConfirm } from '../admin-contract.ts'
import { type AdminInvoice, listAllInvoices } from '../contract.ts'
import { doubtsAbout, mostConfirmed } from '../rules.ts'
import { AdminConfirmRow } from './admin-confirm-row.tsx'

interface Props {
  chosen: readonly AdminInvoice[]
  /** Takes the focus when the dialog closes. */
  returnTo: () => HTMLElement | null
  /** Some were confirmed: those are chosen no longer. */
  onConfirmed: (invoiceIds: number[]) => void
}

type Sent = { rows: AdminInvoice[]; results: Output<typeof confirmPayments> }
const payments = (count: number) => (count === 1 ? '1 payment' : `${count} payments`)

/** Several payments, looked at once more as they are now and confirmed each for itself. */
export function AdminConfirmDialog({ chosen, returnTo, onConfirmed }: Props) {
  const [open, setOpen] = useState(true)
  const [ids] = useState(() => chosen.slice(0, mostConfirmed).map(({ id }) => id))
  const [left] = useState(chosen.length - ids.length)
  // By version: what was decided about an invoice that has changed since counts no more.
  const [choices, setChoices] = useState<Record<string, boolean>>({})
  const [sent, setSent] = useState<Sent>()
  const { data: me } = useQuery(query(currentUser))
  const preview = useQuery({ ...query(getInvoicesToConfirm, { query: { invoiceIds: ids.join(',') } }), refetchOnMount: 'always', enabled: !sent })
  const { mutate, isPending, error } = useSend(confirmPayments, [listAllInvoices, getInvoiceEvidence])

  const rows = sent?.rows ?? preview.data ?? []
  const keyOf = ({ id, version }: AdminInvoice) => `${id}:${version}`
  const isIncluded = (row: AdminInvoice) => row.status === 'pending' && (choices[keyOf(row)] ?? doubtsAbout(row, me?.id).length === 0)
  const included = rows.filter(isIncluded)
  const total = included.reduce((sum, { amount }) => sum + amount, 0)
  const done = sent?.results.filter((result) => result.done).length ?? 0

  const send = () =>
    mutate(
      {
        body: {
          invoices: included.map((row) => ({
            invoiceId: row.id,
            version: row.version,
            expectedAmount: row.amount,
            acknowledged: choices[keyOf(row)] === true,
          })),
        },
      },
      {
        onSuccess: (results) => {
          setSent({ rows, results })
          const confirmed = results.filter((result) => result.done).map(({ invoiceId }) => invoiceId)
          const isAll = confirmed.length === results.length
          toast({
            title: isAll ? 'Payments confirmed' : 'Some payments were not confirmed',
            description: `${confirmed.length} of ${payments(results.length)} confirmed.`,
            ...(!isAll && { variant: 'destructive' }),
          })
          onConfirmed(confirmed)
        },
        onError: (failure) => toast({ title: 'Update Failed', description: messageOf(failure), variant: 'destructive' }),
      },
    )

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !isPending && setOpen(next)}
      title="Confirm Payments"
      description={sent ? `${done} of ${payments(sent.results.length)} confirmed.` : 'Each is confirmed for itself, as it stands here.'}
      size="form"
      returnTo={returnTo}
      footer={
        sent ? (
          <Button onClick={() => setOpen(false)}>Done</Button>
        ) : (
          <>
            {error && <DialogTrouble message={messageOf(error)} onReload={async () => void (await preview.refetch())} />}
            <p className="mr-auto self-center max-sm:order-1 max-sm:self-start" role="status">
              {payments(included.length)}, <b className="num">{formatCents(total)}</b>
            </p>
            <Button variant="line" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button pending={isPending} aria-disabled={included.length === 0} onClick={() => included.length > 0 && send()}>
              {included.length === 0 ? 'Confirm Payments' : `Confirm ${payments(included.length).replace('p', 'P')}`}
            </Button>
          </>
        )
      }
    >
      {left > 0 && (
        <Note className="mb-3">
          At most {mostConfirmed} at once: {payments(left)} more stay chosen.
        </Note>
      )}
      {preview.error && !sent ? (
        <DialogTrouble message={messageOf(preview.error)} onReload={async () => void (await preview.refetch())} />
      ) : rows.length === 0 ? (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Looking at the invoices</span>
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </div>
      ) : (
        <ul>
          {rows.map((row) => (
            <AdminConfirmRow
              key={row.id}
              invoice={row}
              doubts={doubtsAbout(row, me?.id)}
              included={isIncluded(row)}
              onInclude={(next) => setChoices((before) => ({ ...before, [keyOf(row)]: next }))}
              result={sent?.results.find(({ invoiceId }) => invoiceId === row.id)}
              isSent={sent !== undefined}
            />
          ))}
        </ul>
      )}
    </Dialog>
  )
}
