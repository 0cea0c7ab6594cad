import { statusNames } from '#features/tickets/rules.ts'
import { type AuditFacts as Facts, type Phrase, quoted, textOf } from './phrase-rules.ts'
import type { CustomerAction } from './timeline-rules.ts'

/** Returns the subject of a ticket in quotation marks, after a space. */
const about = (after: Facts['after']): string => {
  const subject = quoted(after, 'subject')
  return subject ? ` ${subject}` : ''
}

/** The timeline texts for actions on a customer's tickets. */
export const ticketPhrases: Record<Extract<CustomerAction, `ticket.${string}`>, (facts: Facts) => Phrase> = {
  'ticket.add_note': ({ after }) => ({ title: `Note on the ticket${about(after)}`, detail: [quoted(after, 'note')] }),
  'ticket.answer': ({ after }) => ({ title: `Customer answered in the ticket${about(after)}`, tone: 'warn' }),
  'ticket.assign': ({ after }) => ({
    title: textOf(after, 'assignee')
      ? `Ticket${about(after)} assigned to ${textOf(after, 'assignee')}`
      : `Ticket${about(after)} is no longer assigned`,
  }),
  'ticket.close': ({ after }) => ({ title: `Customer closed the ticket${about(after)}`, tone: 'ok' }),
  'ticket.record_answer': ({ after }) => ({
    title: `Customer answer entered manually${about(after)}`,
    tone: 'warn',
  }),
  'ticket.reply': ({ after }) => ({ title: `Ticket${about(after)} answered`, tone: 'ok' }),
  'ticket.set_status': ({ after }) => ({
    title: `Ticket${about(after)} is now ${statusNames[textOf(after, 'status') as keyof typeof statusNames] ?? 'changed'}`,
  }),
}
