import { useState } from 'react'
import { Segmented } from '#web/ui/segmented.tsx'
import type { Thread } from '../../admin-contract.ts'
import { addTicketNote, recordTicketAnswer } from '../../admin-contract.ts'
import { ReplyForm } from './reply-form.tsx'
import { TicketTextForm } from './ticket-text-form.tsx'

const options = [
  { value: 'reply', label: 'Reply' },
  { value: 'note', label: 'Note' },
  { value: 'answer', label: 'Answer received' },
] as const
type ComposerMode = (typeof options)[number]['value']

/** The forms with which an administrator adds a reply, a note, or an answer that was received elsewhere. Each form keeps its typed text. */
export function TicketComposer({ ticket, userId }: { ticket: Thread; userId: number | undefined }) {
  const [way, setWay] = useState<ComposerMode>('reply')
  return (
    <div className="grid gap-4">
      <Segmented legend="What to add" options={options} value={way} onChange={setWay} />
      {way === 'reply' && <ReplyForm ticket={ticket} userId={userId} />}
      {way === 'note' && (
        <TicketTextForm
          key="note"
          ticketId={ticket.id}
          userId={userId}
          endpoint={addTicketNote}
          name="note"
          label="Note"
          hint="For administrators only; the customer never sees it."
          action="Add Note"
          done={{ title: 'Note Added', description: 'Only administrators can see the note.' }}
        />
      )}
      {way === 'answer' && (
        <TicketTextForm
          key="answer"
          ticketId={ticket.id}
          userId={userId}
          endpoint={recordTicketAnswer}
          name="received"
          label="What the customer said"
          hint="By phone, chat or another mailbox. The customer sees it in the conversation, and the ticket opens again."
          action="Add Answer"
          done={{ title: 'Answer Added', description: 'The ticket is open again, and its promised time has started.' }}
        />
      )}
    </div>
  )
}
