import { eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { inquiries } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import type { SessionUser } from '#server/session/session.ts'
import { type AdminInquiry, type inquiryDecision, listInquiries } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { adminInquiry } from './read-inquiries.ts'

/** An administrator marks an inquiry as answered or open again and notes something. Repeating it changes nothing. Throws 404, and 409 when the dialog was stale. */
export async function updateInquiry(
  db: Db,
  id: number,
  { status, adminNotes, version }: z.output<typeof inquiryDecision>,
  act: { admin: SessionUser; requestId: string },
): Promise<AdminInquiry> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(inquiries).where(eq(inquiries.id, id)).for('update')
    if (!before) return notFound('Inquiry not found')
    if (version !== undefined && version !== before.version)
      return refuseAsStale(tx, {
        targetType: 'inquiry',
        targetId: id,
        admin: act.admin,
        what: 'inquiry',
        now: statusNames[before.status],
      })
    const notes = adminNotes === undefined ? before.adminNotes : adminNotes || null
    const isMoved = before.status !== status
    if (!isMoved && notes === before.adminNotes) return adminInquiry(tx, id)
    await tx
      .update(inquiries)
      .set({
        status,
        adminNotes: notes,
        version: sql`${inquiries.version} + 1`,
        ...(isMoved && { answeredAt: status === 'answered' ? sql`now()` : null }),
      })
      .where(eq(inquiries.id, id))
    await audit(tx, {
      actorId: act.admin.id,
      action: isMoved ? (status === 'answered' ? 'inquiry.answer' : 'inquiry.reopen') : 'inquiry.edit',
      targetType: 'inquiry',
      targetId: id,
      before: { status: before.status, adminNotes: before.adminNotes },
      after: { status, adminNotes: notes },
      requestId: act.requestId,
    })
    await notifyAdmins(tx, [listInquiries.id])
    return adminInquiry(tx, id)
  })
}
