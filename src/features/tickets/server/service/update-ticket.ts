import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { tickets, users } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminTicket, ticketChange } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { lockTicket, type TicketRow } from './lock-ticket.ts'
import { adminTicket } from './read-tickets.ts'
import { settleSubject, unansweredSince } from './settle-subject.ts'

type Change = z.output<typeof ticketChange>

/**
 * Sets the status or the assignee of a ticket. Idempotent. Throws 404, 400 for an assignee who is not an administrator, and 409 when `version` is
 * stale. With a status other than `open`, the inquiry of the ticket is marked as answered. With `solved`, its report is resolved.
 */
export const updateTicket = (db: Db, id: number, change: Change, actor: Actor): Promise<AdminTicket> =>
  inTransaction(db, async (tx) => {
    const before = await lockTicket(tx, id)
    if (change.version !== before.version)
      return refuseAsStale(tx, {
        targetType: 'ticket',
        targetId: id,
        admin: actor.admin,
        what: 'ticket',
        now: statusNames[before.status],
      })
    await setAssignee(tx, before, change.assigneeId, actor)
    await setStatus(tx, before, change.status, actor)
    return adminTicket(tx, id)
  })

async function setAssignee(tx: Tx, before: TicketRow, assigneeId: Change['assigneeId'], actor: Actor): Promise<void> {
  if (assigneeId === undefined || assigneeId === before.assigneeId) return
  const nameOf = async (id: number | null) =>
    id === null
      ? undefined
      : (
          await tx
            .select()
            .from(users)
            .where(and(eq(users.id, id), eq(users.role, 'admin')))
        )[0]
  const assignee = await nameOf(assigneeId)
  if (assigneeId !== null && !assignee) invalid('assigneeId', 'Please choose an administrator')
  await tx
    .update(tickets)
    .set({ assigneeId, version: sql`${tickets.version} + 1` })
    .where(eq(tickets.id, before.id))
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'ticket.assign',
    targetType: 'ticket',
    targetId: before.id,
    before: { assignee: (await nameOf(before.assigneeId))?.username ?? null },
    after: { assignee: assignee?.username ?? null, subject: before.subject },
    requestId: actor.requestId,
  })
  await changed(tx, 'ticket')
}

async function setStatus(tx: Tx, before: TicketRow, status: Change['status'], actor: Actor): Promise<void> {
  if (status === undefined || status === before.status) return
  if (status !== 'open') await settleSubject(tx, before, status, actor)
  await tx
    .update(tickets)
    .set({
      status,
      waitingSince: status === 'open' ? unansweredSince(before.id) : null,
      version: sql`${tickets.version} + 1`,
    })
    .where(eq(tickets.id, before.id))
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'ticket.set_status',
    targetType: 'ticket',
    targetId: before.id,
    before: { status: before.status, waitingSince: before.waitingSince },
    after: { status, subject: before.subject },
    requestId: actor.requestId,
  })
  await changed(tx, 'ticket', before.userId === null ? {} : { user: before.userId })
}
