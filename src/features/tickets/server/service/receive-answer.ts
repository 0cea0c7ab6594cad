import { eq, inArray, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { ticketMessages, tickets, users } from '#server/db/tables.ts'
import { messageLength } from '../../contract.ts'
import { tokenIn } from '../../rules.ts'
import { addMessage } from './add-message.ts'
import { lockTicket } from './lock-ticket.ts'
import { addPictures, type NewPicture } from './pictures/sent-pictures.ts'

/** The headers of an email. `inReplyTo` contains the Message-IDs of the emails that it answers. */
export type AnswerEnvelope = { subject: string; inReplyTo: string }

/**
 * Returns the id of the ticket that an email answers, found by the token in the subject or by the Message-ID of one of our emails; undefined for
 * other emails.
 */
export async function findAnswered(db: Db, { subject, inReplyTo }: AnswerEnvelope): Promise<number | undefined> {
  const token = tokenIn(subject)
  if (token) {
    const [found] = await db.select({ id: tickets.id }).from(tickets).where(eq(tickets.token, token))
    if (found) return found.id
  }
  const keys = [...inReplyTo.matchAll(/<([0-9a-f]{40})@/g)].map(([, key]) => key!).slice(0, 20)
  if (keys.length === 0) return undefined
  const [found] = await db
    .select({ id: ticketMessages.ticketId })
    .from(ticketMessages)
    .where(inArray(ticketMessages.mailKey, keys))
    .limit(1)
  return found?.id
}

const answersPerHour = 30
/** Whether a ticket has reached its limit of emails per hour. Further emails stay in the mailbox. */
async function isFlood(tx: Tx, ticketId: number): Promise<boolean> {
  const { rows } = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ticket_messages
    where ticket_id = ${ticketId} and via = 'email' and created_at > now() - interval '1 hour'`)
  return rows[0]!.count >= answersPerHour
}

/** An answer by email. `isProven`: it is verified that the email was sent from the address in `from`. */
export type EmailAnswer = {
  from: string
  isProven: boolean
  body: string
  refused: string[]
  pictures: NewPicture[]
  sourceKey: string
}

/**
 * Adds an answer by email to its ticket. `also` runs in the same transaction. A copy of a stored answer, and an answer beyond the hourly limit, is
 * not added. Administrators see the sender address if it is not proven, or if it does not belong to the customer: another person may have received
 * the ticket code. Returns whether the answer was added.
 */
export const receiveAnswer = (
  db: Db,
  ticketId: number,
  { from, isProven, body, refused, pictures, sourceKey }: EmailAnswer,
  also: (tx: Tx) => Promise<void>,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await also(tx)
    const ticket = await lockTicket(tx, ticketId)
    const [known] = await tx
      .select({ id: ticketMessages.id })
      .from(ticketMessages)
      .where(eq(ticketMessages.sourceKey, sourceKey))
    if (known || (await isFlood(tx, ticketId))) return false
    const [user] =
      ticket.userId === null
        ? []
        : await tx.select({ id: users.id, email: users.email }).from(users).where(eq(users.id, ticket.userId))
    const isTheirs =
      isProven && [ticket.email, user?.email].some((address) => address?.toLowerCase() === from.toLowerCase())
    const sender = isProven ? from : `${from.slice(0, 220)} (sender not verified)`
    const messageId = await addMessage(tx, ticket, {
      kind: 'customer',
      via: 'email',
      authorId: isTheirs ? (user?.id ?? null) : null,
      sender: isTheirs ? null : sender.slice(0, 254),
      body: body.slice(0, messageLength),
      refused,
      sourceKey,
    })
    await addPictures(tx, messageId, pictures)
    await audit(tx, {
      actorId: isTheirs ? (user?.id ?? null) : null,
      action: 'ticket.answer',
      targetType: 'ticket',
      targetId: ticketId,
      before: { status: ticket.status },
      after: { status: 'open', subject: ticket.subject, by: 'email' },
    })
    return true
  })
