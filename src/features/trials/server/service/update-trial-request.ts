import { eq, sql } from 'drizzle-orm'
import { requestProvisioning, setTrialEnd } from '#features/provisioning/server/request.ts'
import { audit, refuseAsStale } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { lines, trialRequests, users } from '#server/db/tables.ts'
import { conflict, invalid, notFound, refuseOwn } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { open, seal } from '#server/secrets/keys.ts'
import type { Approver } from '#server/session/actor.ts'
import type { AdminTrialRequest, TrialDecision } from '../../admin-contract.ts'
import { statusNames } from '../../rules.ts'
import { adminTrialRequest, type GetKey, trialPasswordContext } from './read-trial-requests.ts'

type Row = typeof trialRequests.$inferSelect

/**
 * Approves, denies, reopens or edits a trial request; any status change is allowed. The customer is notified on the page and, of an approval or denial,
 * by email, which never contains credentials. Repeating a decision changes nothing. Throws 404, 400 for an approval with an expiry date in the past,
 * and 409 if the dialog was stale or the customer already has an open request.
 */
export async function updateTrialRequest(
  db: Db,
  id: number,
  decision: TrialDecision,
  actor: Approver,
  key: GetKey,
): Promise<AdminTrialRequest> {
  const sealed = decision.trialPassword ? seal(key(), decision.trialPassword, trialPasswordContext(id)) : null
  try {
    return await inTransaction(db, async (tx) => {
      const [before] = await tx.select().from(trialRequests).where(eq(trialRequests.id, id)).for('update')
      if (!before) return notFound('Trial request not found')
      refuseOwn(before.userId, actor, 'trial request')
      if (decision.version !== undefined && decision.version !== before.version)
        return refuseAsStale(tx, {
          targetType: 'trial_request',
          targetId: id,
          admin: actor.admin,
          what: 'request',
          now: statusNames[before.status],
        })
      const isMoved = before.status !== decision.status
      const wanted = updatedFields(before, decision, sealed, key)
      if (Object.entries(wanted).every(([field, value]) => before[field as keyof Row] === value))
        return adminTrialRequest(tx, id, key)
      if (isMoved && decision.status === 'approved') await refuseUnlessInFuture(tx, wanted.expiryDate)
      const [after] = await tx
        .update(trialRequests)
        .set({
          ...wanted,
          adminId: actor.admin.id,
          ...(wanted.expiryDate !== before.expiryDate && { endedAt: null }),
          version: sql`${trialRequests.version} + 1`,
          ...(isMoved && { responseDate: decision.status === 'pending' ? null : sql`now()` }),
        })
        .where(eq(trialRequests.id, id))
        .returning()
      await audit(tx, {
        actorId: actor.admin.id,
        action: `trial.${isMoved ? decision.status : 'edit'}`,
        targetType: 'trial_request',
        targetId: id,
        ...changes(before, after!),
        requestId: actor.requestId,
      })
      await updateTrialLine(tx, before, after!)
      if (isMoved) await mailCustomer(tx, after!)
      await changed(tx, 'trial_request', { user: after!.userId })
      return adminTrialRequest(tx, id, key)
    })
  } catch (error) {
    if (violationOf(error)?.constraint === 'one_open_trial')
      return conflict('trial_open', 'This customer has another request that is waiting for review')
    throw error
  }
}

/**
 * Returns the fields after the decision: omitted fields keep their values, empty fields are cleared, and an unchanged password keeps its stored
 * ciphertext.
 */
function updatedFields(
  before: Row,
  { status, trialUsername, trialPassword, trialServer, adminNotes, expiryDate }: TrialDecision,
  sealed: string | null,
  key: GetKey,
) {
  const kept = (input: string | null | undefined, now: string | null) => (input === undefined ? now : input || null)
  return {
    status,
    trialUsername: kept(trialUsername, before.trialUsername),
    trialPassword:
      trialPassword && isSame(before, trialPassword, key)
        ? before.trialPassword
        : kept(trialPassword && sealed, before.trialPassword),
    trialServer: kept(trialServer, before.trialServer),
    adminNotes: kept(adminNotes, before.adminNotes),
    expiryDate: expiryDate ? new Date(expiryDate).toISOString() : kept(expiryDate, before.expiryDate),
  }
}

function isSame({ id, trialPassword }: Row, input: string, key: GetKey): boolean {
  try {
    return trialPassword !== null && open(key(), trialPassword, trialPasswordContext(id)) === input
  } catch {
    // The stored password cannot be decrypted, so it is replaced.
    return false
  }
}

/** Throws 400 for an expiry date in the past (database clock). */
async function refuseUnlessInFuture(tx: Tx, expiryDate: string | null): Promise<void> {
  const { rows } = await tx.execute<{ ahead: boolean }>(sql`select ${expiryDate}::timestamptz > now() as ahead`)
  if (!rows[0]?.ahead) invalid('expiryDate', 'Please choose a time in the future')
}

/** Updates the line that was created for this request: the line expires with the trial, or now if the request is no longer approved. */
async function updateTrialLine(tx: Tx, before: Row, after: Row): Promise<void> {
  const isApproved = after.status === 'approved'
  if (!isApproved && before.status === after.status) return
  const [line] = await tx
    .select({ username: lines.username, trialUntil: lines.trialUntil })
    .from(lines)
    .where(eq(lines.userId, after.userId))
  if (!line?.trialUntil || (isApproved && line.username !== after.trialUsername)) return
  const until = isApproved ? after.expiryDate : null
  if (until !== null && Date.parse(until) === Date.parse(line.trialUntil)) return
  await setTrialEnd(tx, after.userId, until)
  await requestProvisioning(tx, after.userId, {
    cause: 'trial_change',
    key: `trial_change:${after.id}:${after.version}`,
  })
}

/** Returns the fields that differ, for the audit log. `audit` masks passwords. */
function changes(before: Row, after: Row): { before: Record<string, unknown>; after: Record<string, unknown> } {
  const fields = (Object.keys(after) as (keyof Row)[]).filter(
    (field) => field !== 'version' && before[field] !== after[field],
  )
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
    ...(status === 'approved'
      ? { template: 'trial_approved', data: { expiryDate } }
      : { template: 'trial_denied', data: { adminNotes } }),
  })
}
