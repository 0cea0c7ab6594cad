import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { inquiries, reports, tickets } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'

export type TicketRow = typeof tickets.$inferSelect

/**
 * Locks the inquiry or report of a ticket, then the ticket, and returns the ticket. The order prevents deadlocks, because an update of the inquiry or
 * report locks the ticket too. With `userId`, only the tickets of this customer are found. Throws 404.
 */
export async function lockTicket(tx: Tx, id: number, userId?: number): Promise<TicketRow> {
  const [found] = await tx.select().from(tickets).where(eq(tickets.id, id))
  if (!found || (userId !== undefined && found.userId !== userId)) return notFound('Ticket not found')
  if (found.inquiryId !== null)
    await tx.select({ id: inquiries.id }).from(inquiries).where(eq(inquiries.id, found.inquiryId)).for('update')
  if (found.reportId !== null)
    await tx.select({ id: reports.id }).from(reports).where(eq(reports.id, found.reportId)).for('update')
  const [locked] = await tx.select().from(tickets).where(eq(tickets.id, id)).for('update')
  return locked ?? notFound('Ticket not found')
}
