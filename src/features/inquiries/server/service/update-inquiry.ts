import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { inquiries } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminInquiry, inquiryDecision } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { adminInquiry } from './read-inquiries.ts'

/** Marks an inquiry as answered because its ticket was answered. Does nothing if the inquiry is already answered. `actor` is the user who answered. */
export async function answerInquiry(tx: Tx, id: number, actor: { id: number; requestId: string }): Promise<void> {
  const [answered] = await tx
    .update(inquiries)
    .set({ status: 'answered', answeredAt: sql`now()`, version: sql`${inquiries.version} + 1` })
    .where(and(eq(inquiries.id, id), eq(inquiries.status, 'open')))
    .returning({ id: inquiries.id })
  if (!answered) return
  await audit(tx, {
    actorId: actor.id,
    action: 'inquiry.answer',
    targetType: 'inquiry',
    targetId: id,
    before: { status: 'open' },
    after: { status: 'answered' },
    requestId: actor.requestId,
  })
  await changed(tx, 'inquiry')
}

/** Sets the status and the note of an inquiry. Idempotent. Throws 404 for an unknown id, and 409 if `version` is stale. */
export async function updateInquiry(
  db: Db,
  id: number,
  { status, adminNotes, version }: z.output<typeof inquiryDecision>,
  actor: Actor,
): Promise<AdminInquiry> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(inquiries).where(eq(inquiries.id, id)).for('update')
    if (!before) return notFound('Inquiry not found')
    if (version !== undefined && version !== before.version)
      return refuseAsStale(tx, {
        targetType: 'inquiry',
        targetId: id,
        admin: actor.admin,
        what: 'inquiry',
        now: statusNames[before.status],
      })
    const notes = adminNotes === undefined ? before.adminNotes : adminNotes || null
    const statusChanged = before.status !== status
    if (!statusChanged && notes === before.adminNotes) return adminInquiry(tx, id)
    await tx
      .update(inquiries)
      .set({
        status,
        adminNotes: notes,
        version: sql`${inquiries.version} + 1`,
        ...(statusChanged && { answeredAt: status === 'answered' ? sql`now()` : null }),
      })
      .where(eq(inquiries.id, id))
    await audit(tx, {
      actorId: actor.admin.id,
      action: statusChanged ? (status === 'answered' ? 'inquiry.answer' : 'inquiry.reopen') : 'inquiry.edit',
      targetType: 'inquiry',
      targetId: id,
      before: { status: before.status, adminNotes: before.adminNotes },
      after: { status, adminNotes: notes },
      requestId: actor.requestId,
    })
    await changed(tx, 'inquiry')
    return adminInquiry(tx, id)
  })
}
