import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { ticketMessages, tickets } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import type { OwnThread, OwnTicket } from '../../contract.ts'
import { addMessage } from './add-message.ts'
import { lockTicket } from './lock-ticket.ts'
import { picturesOf, sendPictures } from './pictures/sent-pictures.ts'
import { settleInquiry } from './settle-subject.ts'

type Customer = { id: number; requestId: string }

const { id, kind, subject, status, createdAt, lastMessageAt } = tickets
const ownTickets = (db: Db) => db.select({ id, kind, subject, status, createdAt, lastMessageAt }).from(tickets)

/** Returns a customer's tickets, newest message first. */
export const listOwnTickets = (db: Db, userId: number): Promise<OwnTicket[]> =>
  ownTickets(db).where(eq(tickets.userId, userId)).orderBy(desc(lastMessageAt), desc(id)).limit(limits.lists.default)

/** Returns a customer's ticket with its newest messages, oldest first, and without notes. Throws 404. */
export async function readOwnThread(db: Db, userId: number, ticketId: number): Promise<OwnThread> {
  const [ticket] = await ownTickets(db).where(and(eq(id, ticketId), eq(tickets.userId, userId)))
  if (!ticket) return notFound('Ticket not found')
  const messages = await db
    .select({
      id: ticketMessages.id,
      isOwn: sql<boolean>`${ticketMessages.kind} = 'customer'`,
      via: ticketMessages.via,
      body: ticketMessages.body,
      refused: ticketMessages.refused,
      createdAt: ticketMessages.createdAt,
    })
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, ticketId), ne(ticketMessages.kind, 'note')))
    .orderBy(desc(ticketMessages.id))
    .limit(limits.lists.maximum)
  const pictures = await picturesOf(db, ticketId)
  return {
    ...ticket,
    messages: messages.reverse().map((message) => ({ ...message, pictures: pictures(message.id) })),
  }
}

/** Adds a customer's message and opens the ticket. Throws 404, and 400 for a picture that cannot be sent. */
export const answerTicket = (
  db: Db,
  ticketId: number,
  { body, pictures }: { body: string; pictures?: string[] | undefined },
  customer: Customer,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, ticketId, customer.id)
    const messageId = await addMessage(tx, ticket, { kind: 'customer', authorId: customer.id, body })
    await sendPictures(tx, messageId, pictures, customer.id)
    await audit(tx, {
      actorId: customer.id,
      action: 'ticket.answer',
      targetType: 'ticket',
      targetId: ticketId,
      before: { status: ticket.status },
      after: { status: 'open', subject: ticket.subject, ...(pictures?.length && { pictures: pictures.length }) },
      requestId: customer.requestId,
    })
  })

/** Marks a customer's ticket as solved, so that no answer is needed. Its inquiry is marked as answered; its report is not changed. Idempotent. Throws 404. */
export const closeTicket = (db: Db, ticketId: number, customer: Customer): Promise<void> =>
  inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, ticketId, customer.id)
    if (ticket.status === 'solved') return
    await settleInquiry(tx, ticket, customer)
    await tx
      .update(tickets)
      .set({ status: 'solved', waitingSince: null, version: sql`${tickets.version} + 1` })
      .where(eq(id, ticketId))
    await audit(tx, {
      actorId: customer.id,
      action: 'ticket.close',
      targetType: 'ticket',
      targetId: ticketId,
      before: { status: ticket.status },
      after: { status: 'solved', subject: ticket.subject },
      requestId: customer.requestId,
    })
    await changed(tx, 'ticket', { user: customer.id })
  })
