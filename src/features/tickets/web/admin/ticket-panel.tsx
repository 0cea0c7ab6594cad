import { Card } from '#web/ui/card.tsx'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import { May } from '#web/ui/permission/may.tsx'
import type { Thread } from '../../admin-contract.ts'
import { MessageList } from '../message-list.tsx'
import { MessagePictures } from '../pictures/message-pictures.tsx'
import { useNewMessages } from '../use-new-messages.ts'
import { TicketComposer } from './ticket-composer.tsx'

const sourceTexts = { site: undefined, email: 'by email', hand: 'entered by hand' }

/** The messages of a ticket, with the forms for a reply, a note and an answer that was received elsewhere. */
export function TicketPanel({ ticket, userId }: { ticket: Thread; userId: number | undefined }) {
  useOpenedItem(`ticket:${ticket.id}`)
  useNewMessages(ticket.messages.map(({ id, kind }) => ({ id, isIncoming: kind === 'customer' })))
  return (
    <Card title="Messages" titleId="ticket-messages">
      <MessageList
        messages={ticket.messages.map(({ kind, via, author, sender, pictures, ...message }) => ({
          ...message,
          images: (
            <MessagePictures
              pictures={pictures}
              from={kind === 'customer' ? ticket.from : (author ?? 'Deleted user')}
              isStaff
            />
          ),
          side: kind === 'customer' ? 'other' : kind === 'staff' ? 'own' : 'note',
          author: kind === 'customer' ? ticket.from : (author ?? 'Deleted user'),
          how:
            kind === 'note'
              ? 'Note for administrators'
              : [sourceTexts[via], via === 'hand' && author && `by ${author}`, sender && `from ${sender}`]
                  .filter(Boolean)
                  .join(' ') || undefined,
        }))}
      />
      <May needs="tickets.edit">
        <div className="mt-6 border-t border-line pt-5">
          <TicketComposer key={ticket.id} ticket={ticket} userId={userId} />
        </div>
      </May>
    </Card>
  )
}
