import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listInvoices } from '../../contract.ts'
import { InvoicesPanel } from './invoices-panel.tsx'

/** /invoices: all of a customer's invoices. */
export function InvoicesPage() {
  const { data: invoices, error, isFetching } = useQuery(query(listInvoices))
  return (
    <div className="min-h-full bg-sunken">
      <div className="wrap page">
        <PageHeader title="Your Invoices" lead="Everything you ordered, what is paid, and what is still open." />
        {invoices ? (
          <InvoicesPanel invoices={invoices} />
        ) : error ? (
          <div className="card">
            <ErrorState
              title="Error Loading Invoices"
              message={messageOf(error)}
              retryLabel="Try Again"
              pending={isFetching}
              onRetry={() => location.reload()}
            />
          </div>
        ) : (
          <div role="status" className="grid gap-4">
            <span className="sr-only">Loading your invoices</span>
            <Skeleton className="h-11" />
            {[1, 2, 3].map((row) => (
              <Skeleton key={row} className="h-44 rounded-lg" />
            ))}
          </div>
        )}
      </div>
    </div>
  )
}
