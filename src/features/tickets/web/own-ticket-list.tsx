import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { listTickets } from '../contract.ts'
import { kindNames } from '../rules.ts'
import { TicketStatusBadge } from './ticket-status-badge.tsx'

/** A customer's tickets, the one with the newest message first. */
export function OwnTicketList() {
  const { data: tickets, error, isFetching, refetch } = useQuery(query(listTickets))
  if (!tickets)
    return error ? (
      <ErrorState
        title="Error loading your messages"
        message={messageOf(error)}
        pending={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <div role="status">
        <span className="sr-only">Loading…</span>
        <Skeleton className="h-40" />
      </div>
    )
  const write = (
    <ButtonLink to="/contact" variant="line" size="sm">
      Write to Us
    </ButtonLink>
  )
  if (tickets.length === 0)
    return (
      <Card>
        <EmptyState title="No messages yet" action={write}>
          What you send with the contact form, and problems that you report, appear here with our answers.
        </EmptyState>
      </Card>
    )
  return (
    <Card title="Conversations" titleId="tickets-title" aside={write} flush>
      <ul className="divide-y divide-line">
        {tickets.map(({ id, subject, kind, status, lastMessageAt }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 px-4.5 py-4 sm:px-6">
            <div className="min-w-0">
              <h3 className="text-base wrap-anywhere">
                <Link to="/messages/{-$ticketId}" params={{ ticketId: String(id) }} className="link">
                  {subject}
                </Link>
              </h3>
              <p className="text-sm text-fg-2">
                {kindNames[kind]} · last message <RelativeTime value={lastMessageAt} />
              </p>
            </div>
            <TicketStatusBadge status={status} isCustomer />
          </li>
        ))}
      </ul>
    </Card>
  )
}
