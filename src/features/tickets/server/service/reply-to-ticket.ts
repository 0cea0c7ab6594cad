import { randomUUID } from 'node:crypto'
import { and, eq, max, ne } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { ticketMessages, users } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { mailKeyOf } from '#server/mail/mail-key.ts'
import type { Actor } from '#server/session/actor.ts'
import type { TicketStatus } from '../../contract.ts'
import { unfilledFields } from '../../rules.ts'
import { addMessage } from './add-message.ts'
import { lockTicket, type TicketRow } from './lock-ticket.ts'
import { sendPictures } from './pictures/sent-pictures.ts'
import { settleSubject } from './settle-subject.ts'

type Reply = { body: string; status: TicketStatus; seen: number; pictures?: string[] | undefined }

/**
 * Replies to the customer: adds the message to the ticket and queues it as an email. An inquiry is marked as answered. Throws 404, 400 for an
 * unfilled field of a canned reply and for a picture that cannot be sent, and 409 if there is a newer message than `seen`.
 */
export async function replyToTicket(db: Db, id: number, reply: Reply, actor: Actor): Promise<void> {
  const { body, status, seen, pictures = [] } = reply
  const unfilled = unfilledFields(body)
  if (unfilled.length > 0) invalid('body', `Please fill in ${unfilled.join(', ')} in the text`)
  await inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, id)
    await refuseUnseen(tx, id, seen)
    if (pictures.length > 0 && ticket.userId === null)
      invalid(
        'pictures',
        'Pictures are shown only in a customer’s account, and this customer has no account. Please describe the pictures instead.',
      )
    const dedupeKey = `ticket_reply:${randomUUID()}`
    await settleSubject(tx, ticket, status, actor)
    const message = { kind: 'staff', authorId: actor.admin.id, body, mailKey: mailKeyOf(dedupeKey) } as const
    await sendPictures(tx, await addMessage(tx, ticket, message, status), pictures, actor.admin.id)
    await emailReply(tx, ticket, { dedupeKey, body, pictures: pictures.length })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'ticket.reply',
      targetType: 'ticket',
      targetId: id,
      before: { status: ticket.status, waitingSince: ticket.waitingSince },
      after: { status, subject: ticket.subject, ...(pictures.length > 0 && { pictures: pictures.length }) },
      requestId: actor.requestId,
    })
  })
}

async function refuseUnseen(tx: Tx, id: number, seen: number): Promise<void> {
  const [newest] = await tx
    .select({ id: max(ticketMessages.id) })
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, id), ne(ticketMessages.kind, 'note')))
  if ((newest?.id ?? 0) > seen)
    conflict(
      'stale',
      'There is a newer message in this ticket. Your reply was not sent; please read the message first.',
    )
}

async function emailReply(
  tx: Tx,
  { userId, email, subject, token }: TicketRow,
  { dedupeKey, body, pictures }: { dedupeKey: string; body: string; pictures: number },
): Promise<void> {
  const [user] = userId === null ? [] : await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey,
    userId,
    recipient: email ?? user!.email,
    template: 'ticket_reply',
    data: { subject, token, body, hasAccount: userId !== null, ...(pictures > 0 && { pictures }) },
  })
}
