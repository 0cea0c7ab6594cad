import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { trialRequests, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import { seal } from '#server/secret.ts'
import type { SessionUser } from '#server/session.ts'
import { type AdminTrialRequest, listAllTrialRequests, listTrialRequests, type TrialDecision } from '../../contract.ts'
import { adminTrialRequest, type Key, passwordPlace } from './read-trial-requests.ts'

type Row = typeof trialRequests.$inferSelect
type Act = { admin: SessionUser; requestId: string }

/**
 * An administrator approves, denies, reopens or edits a request: any status to any other. The customer is told by page and
 * mail, never with a credential in the mail. Throws 404, and 409 when reopening would make a second open request.
 */
export async function updateTrialRequest(db: Db, id: number, decision: TrialDecision, act: Act, key: Key): Promise<AdminTrialRequest> {
  const password = decision.trialPassword ? seal(key(), decision.trialPassword, passwordPlace(id)) : decision.trialPassword
  try {
    return await inTransaction(db, async (tx) => {
      const [before] = await tx.select().from(trialRequests).where(eq(trialRequests.id, id)).for('update')
      if (!before) return notFound('Trial request not found')
      const { status, trialUsername, trialServer, adminNotes, expiryDate } = decision
      const isMoved = before.status !== status
      const [after] = await tx
        .update(trialRequests)
        .set({
          status,
          trialUsername: blankIsNull(trialUsername),
          trialPassword: blankIsNull(password),
          trialServer: blankIsNull(trialServer),
          adminNotes: blankIsNull(adminNotes),
          expiryDate: blankIsNull(expiryDate),
          adminId: act.admin.id,
          ...(isMoved && { responseDate: status === 'pending' ? null : sql`now()` }),
        })
        .where(eq(trialRequests.id, id))
        .returning()
      await audit(tx, {
        actorId: act.admin.id,
        action: `trial.${isMoved ? status : 'edit'}`,
        targetType: 'trial_request',
        targetId: id,
        ...changes(before, after!),
        requestId: act.requestId,
      })
      if (isMoved) await mailCustomer(tx, after!)
      await notifyUser(tx, after!.userId, [listTrialRequests.id])
      await notifyAdmins(tx, [listAllTrialRequests.id])
      return adminTrialRequest(tx, id, key)
    })
  } catch (error) {
    if (violationOf(error)?.constraint === 'one_open_trial') return conflict('trial_open', 'This customer has another request that is waiting for review')
    throw error
  }
}

/** Undefined leaves a column as it is. */
const blankIsNull = (value: string | null | undefined): string | null | undefined => (value === '' ? null : value)

/** The fields that differ; the audit log itself hides what is called a password. */
function changes(before: Row, after: Row): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const fields = (Object.keys(after) as (keyof Row)[]).filter((field) => before[field] !== after[field])
  const only = (row: Row) => Object.fromEntries(fields.map((field) => [field, row[field]]))
  return { before: only(before), after: only(after) }
}

async function mailCustomer(tx: Tx, { id, userId, status, responseDate, expiryDate, adminNotes }: Row): Promise<void> {
  if (status === 'pending') return
  const [customer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await enqueueMail(tx, {
    dedupeKey: `trial_${status}:${id}:${responseDate}`,
    userId,
    recipient: customer!.email,
    template: `trial_${status}`,
    data: status === 'approved' ? { expiryDate } : { adminNotes },
  })
}
