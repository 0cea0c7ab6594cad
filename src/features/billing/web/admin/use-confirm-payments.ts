import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import type { Input, Output } from '#kit/endpoint.ts'
import { useSend } from '#web/data.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminInvoice, confirmPayments, getInvoiceEvidence, listAllInvoices } from '../../admin-contract.ts'

type Confirmation = Input<typeof confirmPayments>['body']['invoices'][number]
type Results = Output<typeof confirmPayments>
/** A bulk confirmation that was started: the rows as displayed, the ids of the requested invoices and the results so far. */
export type BulkConfirmation = { rows: AdminInvoice[]; requestedIds: number[]; results: Results; isRunning: boolean }

/** The number of payments per request. It is small, so that the progress bar advances several times. */
const batchSize = 10

/**
 * Confirms payments in batches. The displayed rows are kept, so that the page does not report its own confirmations as concurrent changes.
 * `onConfirmed` receives the ids of the confirmed invoices when the run has ended, even after an error.
 */
export function useConfirmPayments(onConfirmed: (invoiceIds: number[]) => void) {
  const [run, setRun] = useState<BulkConfirmation>()
  const { mutateAsync, error, reset } = useSend(confirmPayments, [listAllInvoices, getInvoiceEvidence])

  const start = async (rows: AdminInvoice[], confirmations: Confirmation[]) => {
    const requestedIds = confirmations.map(({ invoiceId }) => invoiceId)
    let results: Results = []
    setRun({ rows, requestedIds, results, isRunning: true })
    let failure: unknown
    try {
      for (let sent = 0; sent < confirmations.length; sent += batchSize) {
        results = [
          ...results,
          ...(await mutateAsync({ body: { invoices: confirmations.slice(sent, sent + batchSize) } })),
        ]
        setRun({ rows, requestedIds, results, isRunning: true })
      }
    } catch (thrown) {
      failure = thrown
    }
    setRun({ rows, requestedIds, results, isRunning: false })
    const confirmed = results.filter(({ done }) => done).map(({ invoiceId }) => invoiceId)
    onConfirmed(confirmed)
    const isAll = confirmed.length === requestedIds.length
    toast({
      title: failure ? 'Update Failed' : isAll ? 'Payments confirmed' : 'Some payments were not confirmed',
      description: failure
        ? messageOf(failure)
        : `${confirmed.length} of ${paymentsText(requestedIds.length)} confirmed.`,
      ...(!isAll && { variant: 'destructive' }),
    })
  }

  return {
    run,
    start,
    error,
    /** Returns to the selection with the current rows. */
    restart: () => {
      reset()
      setRun(undefined)
    },
  }
}

/** Returns the count with its noun: `1 payment`, `3 payments`. */
export const paymentsText = (count: number) => (count === 1 ? '1 payment' : `${count} payments`)
