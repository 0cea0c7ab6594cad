import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { ApiError, messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { getTicket } from '../contract.ts'
import { AnswerForm } from './answer-form.tsx'
import { CloseTicketButton } from './close-ticket-button.tsx'
import { MessageList } from './message-list.tsx'
import { MessagePictures } from './pictures/message-pictures.tsx'
import { TicketStatusBadge } from './ticket-status-badge.tsx'
import { useNewMessages } from './use-new-messages.ts'

/** A customer's ticket with its messages and the form for an answer. */
export function OwnThread({ ticketId }: { ticketId: string }) {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: site } = useSuspenseQuery(query(getSite))
  const { data: ticket, error, isFetching, refetch } = useQuery(query(getTicket, { params: { ticketId } }))
  useNewMessages(ticket?.messages.map(({ id, isOwn }) => ({ id, isIncoming: !isOwn })))
  if (!ticket) {
    if (!error)
      return (
        <div role="status">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-60" />
        </div>
      )
    const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
    return (
      <ErrorState
        title={isMissing ? 'This conversation does not exist' : 'Error loading your messages'}
        message={isMissing ? undefined : messageOf(error)}
        pending={isFetching}
        {...(!isMissing && { onRetry: () => void refetch() })}
        action={
          <ButtonLink to="/messages/{-$ticketId}" params={{ ticketId: undefined }} variant="line">
            All Messages
          </ButtonLink>
        }
      />
    )
  }
  return (
    <Card
      title={<span className="wrap-anywhere">{ticket.subject}</span>}
      titleId="thread-title"
      aside={<TicketStatusBadge status={ticket.status} isCustomer />}
    >
      <MessageList
        messages={ticket.messages.map(({ isOwn, via, pictures, ...message }) => ({
          ...message,
          images: <MessagePictures pictures={pictures} from={isOwn ? 'you' : site.brand.name} isStaff={false} />,
          side: isOwn ? 'own' : 'other',
          author: isOwn ? 'You' : site.brand.name,
          how: via === 'site' ? undefined : via === 'email' ? 'by email' : 'entered by our team',
        }))}
      />
      <div className="mt-6 border-t border-line pt-5">
        <AnswerForm key={ticket.id} ticketId={ticket.id} userId={user?.id} isSolved={ticket.status === 'solved'} />
        {ticket.status !== 'solved' && <CloseTicketButton ticketId={ticket.id} />}
      </div>
    </Card>
  )
}
