import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { ticketMessages, tickets } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import type { TicketStatus } from '../../contract.ts'
import type { TicketRow } from './lock-ticket.ts'

type NewMessage = Pick<typeof ticketMessages.$inferInsert, 'kind' | 'body'> &
  Partial<typeof ticketMessages.$inferInsert>

/**
 * Adds a message to a locked ticket and returns its id. A message from the customer opens the ticket and starts its promised time, unless that has
 * already started. `status` is the status after a reply of the staff. A note changes only the search text.
 */
export async function addMessage(
  tx: Tx,
  ticket: TicketRow,
  message: NewMessage,
  status: TicketStatus = ticket.status,
): Promise<number> {
  const [added] = await tx
    .insert(ticketMessages)
    .values({ ...message, ticketId: ticket.id })
    .returning({ id: ticketMessages.id })
  const search = sql`left(${tickets.search} || E'\n' || ${message.body.toLowerCase()}, ${limits.ticket.searched})`
  await tx
    .update(tickets)
    .set({ search, version: sql`${tickets.version} + 1`, ...changesOf(message.kind, status) })
    .where(eq(tickets.id, ticket.id))
  await changed(tx, 'ticket', ticket.userId === null ? {} : { user: ticket.userId })
  return added!.id
}

function changesOf(kind: NewMessage['kind'], status: TicketStatus): object {
  if (kind === 'note') return {}
  const lastMessageAt = sql`now()`
  if (kind === 'customer')
    return { lastMessageAt, status: 'open', waitingSince: sql`coalesce(${tickets.waitingSince}, now())` }
  return { lastMessageAt, status, waitingSince: null }
}
