import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { inquiries, ticketMessages, tickets, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { messageLength } from '../../contract.ts'
import { addPictures, type NewPicture } from './pictures/sent-pictures.ts'

/** Setting: who may open a ticket by email. */
type NewTickets = 'off' | 'customers' | 'everyone'

/** Whether an email from this address may open a ticket. With `customers`, only a customer who has confirmed the address may. */
export async function mayOpenTicket(db: Db, from: string, newTickets: NewTickets): Promise<boolean> {
  if (newTickets === 'off' || !from.includes('@')) return false
  if (newTickets === 'everyone') return true
  const [customer] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, from.toLowerCase()), isNotNull(users.emailVerifiedAt)))
  return customer !== undefined
}

/** An email that is not a reply to a ticket. `from` is the proven sender address. */
export type NewEmail = {
  from: string
  name: string
  subject: string
  text: string
  refused: string[]
  pictures: NewPicture[]
  sourceKey: string
}

/**
 * Opens a ticket with an email as its inquiry. `also` runs in the same transaction. No ticket is opened for a copy of a stored email, or beyond the
 * limits for one address and for all addresses. Returns whether a ticket was opened.
 */
export const openByEmail = (db: Db, mail: NewEmail, also: (tx: Tx) => Promise<void>): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await also(tx)
    const [known] = await tx
      .select({ id: ticketMessages.id })
      .from(ticketMessages)
      .where(eq(ticketMessages.sourceKey, mail.sourceKey))
    if (known || (await isFlood(tx, mail.from))) return false
    const body = `${mail.subject || '(no subject)'}\n${mail.text || '(no text)'}`.slice(0, messageLength)
    const name = mail.name.length >= 2 ? mail.name : mail.from
    // A database trigger opens the ticket with the inquiry as its first message. The inquiry is cut to the maximum length of the contact form. The
    // message contains the whole text.
    const [inquiry] = await tx
      .insert(inquiries)
      .values({ name: name.slice(0, 100), email: mail.from, message: body.slice(0, 2000), newsletterOpt: false })
      .returning({ id: inquiries.id })
    const [ticket] = await tx
      .update(tickets)
      .set({ search: sql`left(lower(${`${name}\n${mail.from}\n${body}`}), ${limits.ticket.searched})` })
      .where(eq(tickets.inquiryId, inquiry!.id))
      .returning({ id: tickets.id, userId: tickets.userId })
    const [message] = await tx
      .update(ticketMessages)
      .set({ body, via: 'email', authorId: ticket!.userId, refused: mail.refused, sourceKey: mail.sourceKey })
      .where(and(eq(ticketMessages.ticketId, ticket!.id), ticketMessages.isFirst))
      .returning({ id: ticketMessages.id })
    await addPictures(tx, message!.id, mail.pictures)
    await changed(tx, 'inquiry', ticket!.userId === null ? {} : { user: ticket!.userId })
    return true
  })

/** Whether an address, or all addresses together, have reached the limit of tickets opened by email. Further emails stay in the mailbox. */
async function isFlood(tx: Tx, from: string): Promise<boolean> {
  const { perAddressAndDay, perHour } = limits.ticket.byEmail
  const [counted] = await tx
    .select({
      ofAddress: sql<number>`count(*) filter (where lower(${tickets.email}) = ${from.toLowerCase()})::int`,
      lastHour: sql<number>`count(*) filter (where ${tickets.createdAt} > now() - interval '1 hour')::int`,
    })
    .from(ticketMessages)
    .innerJoin(tickets, eq(tickets.id, ticketMessages.ticketId))
    .where(
      and(
        ticketMessages.isFirst,
        eq(ticketMessages.via, 'email'),
        gt(ticketMessages.createdAt, sql`now() - interval '1 day'`),
      ),
    )
  return counted!.ofAddress >= perAddressAndDay || counted!.lastHour >= perHour
}
