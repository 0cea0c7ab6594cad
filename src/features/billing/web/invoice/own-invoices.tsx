import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listInvoices } from '../../contract.ts'
import { InvoicesPanel } from './invoices-panel.tsx'

/** All of a customer's invoices. */
export function OwnInvoices() {
  const { data: invoices, error, isFetching } = useQuery(query(listInvoices))
  if (invoices) return <InvoicesPanel invoices={invoices} />
  if (error)
    return (
      <div className="card">
        <ErrorState
          title="Error Loading Invoices"
          message={messageOf(error)}
          retryLabel="Try Again"
          pending={isFetching}
          onRetry={() => location.reload()}
        />
      </div>
    )
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading your invoices</span>
      <Skeleton className="h-11" />
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} className="h-44 rounded-lg" />
      ))}
    </div>
  )
}
