import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import type { Actor } from '#server/session/actor.ts'
import { addMessage } from './add-message.ts'
import { lockTicket } from './lock-ticket.ts'

/** Adds a note that only administrators see. Throws 404. */
export const addNote = (db: Db, id: number, body: string, actor: Actor): Promise<void> =>
  inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, id)
    await addMessage(tx, ticket, { kind: 'note', authorId: actor.admin.id, body })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'ticket.add_note',
      targetType: 'ticket',
      targetId: id,
      after: { subject: ticket.subject, note: body },
      requestId: actor.requestId,
    })
  })

/** Adds a customer’s answer that arrived elsewhere, such as by phone, and opens the ticket. Throws 404. */
export const recordAnswer = (db: Db, id: number, body: string, actor: Actor): Promise<void> =>
  inTransaction(db, async (tx) => {
    const ticket = await lockTicket(tx, id)
    await addMessage(tx, ticket, { kind: 'customer', via: 'hand', authorId: actor.admin.id, body })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'ticket.record_answer',
      targetType: 'ticket',
      targetId: id,
      before: { status: ticket.status },
      after: { status: 'open', subject: ticket.subject },
      requestId: actor.requestId,
    })
  })
