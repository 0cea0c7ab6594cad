import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { currentUser } from '#features/accounts/contract.ts'
import { getThread } from '#features/tickets/admin-contract.ts'
import { TicketFacts } from '#features/tickets/web/admin/ticket-facts.tsx'
import { TicketPanel } from '#features/tickets/web/admin/ticket-panel.tsx'
import { ApiError, messageOf } from '#kit/caller.ts'
import { query } from '../../../data.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AdminFrame } from '../admin-frame.tsx'

const backLink = (
  <p className="mb-3">
    <Link to="/admin/tickets/{-$ticketId}" params={{ ticketId: undefined }} className="link">
      All tickets
    </Link>
  </p>
)

/** The messages of one ticket, and its facts. */
export function OneTicket({ ticketId }: { ticketId: string }) {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: ticket, error, isFetching, refetch } = useQuery(query(getThread, { params: { ticketId } }))
  if (error && !ticket) {
    const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
    return (
      <AdminFrame title="Ticket" above={backLink}>
        <div className="card">
          <ErrorState
            title={isMissing ? 'No ticket has this ID' : 'Error loading data'}
            message={isMissing ? undefined : messageOf(error)}
            pending={isFetching}
            {...(!isMissing && { onRetry: () => void refetch() })}
          />
        </div>
      </AdminFrame>
    )
  }
  if (!ticket)
    return (
      <AdminFrame title="Ticket" above={backLink}>
        <div role="status">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-80" />
        </div>
      </AdminFrame>
    )
  return (
    <AdminFrame title={<span className="wrap-anywhere">{ticket.subject}</span>} above={backLink}>
      <div className="customer-columns">
        <TicketPanel ticket={ticket} userId={user?.id} />
        <TicketFacts ticket={ticket} />
      </div>
    </AdminFrame>
  )
}
