import { and, eq, ne, sql } from 'drizzle-orm'
import { requestProvisioning, setTrialEnd } from '#features/provisioning/server/request.ts'
import * as settings from '#features/settings/server/service.ts'
import { isRunning } from '#features/subscriptions/running-rules.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { lineJobs, lines, trialRequests, users } from '#server/db/tables.ts'
import { conflict, notFound, refuseOwn } from '#server/errors.ts'
import { type KeyOrRing, open } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { Approver } from '#server/session/actor.ts'
import type { TrialLine } from '../../admin-contract.ts'
import { daysBetweenTrials } from '../../rules.ts'

const noLine = { username: null, password: null, server: null, expiryDate: null, message: null }

/**
 * Creates a line on the panel for a trial request under review. The customer gets the line only when an administrator approves the request. Throws 404,
 * and 409 with manual provisioning, for an active subscription, or without `acknowledge` if the customer or mailbox had a trial within 30 days.
 */
export async function createTrialLine(
  db: Db,
  id: number,
  { hours, acknowledge }: { hours: number; acknowledge: boolean },
  actor: Approver,
  key: () => KeyOrRing,
): Promise<TrialLine> {
  const { kind } = await settings.read(db, 'provisioning')
  if (kind === 'manual')
    return conflict('no_panel', 'No panel is connected. Create the line in your panel and enter its credentials here.')
  await inTransaction(db, async (tx) => {
    const [request] = await tx.select().from(trialRequests).where(eq(trialRequests.id, id)).for('update')
    if (!request) return notFound('Trial request not found')
    const { userId } = request
    refuseOwn(userId, actor, 'trial request')
    const [customer] = await tx
      .select({
        subscriptionStatus: users.subscriptionStatus,
        subscriptionEndDate: users.subscriptionEndDate,
        now: sql<string>`now()`,
      })
      .from(users)
      .where(eq(users.id, userId))
      .for('update')
    if (isRunning(customer!, new Date(customer!.now)))
      conflict('already_subscribed', 'This customer has an active subscription with its own line.')
    if (!acknowledge) await refuseIfRecent(tx, id, userId)
    const [known] = await tx
      .select({ runs: sql<boolean>`coalesce(${lines.trialUntil} > now(), false)` })
      .from(lines)
      .where(eq(lines.userId, userId))
    // A second click finds the line created by the first.
    if (known?.runs) return
    const { rows } = await tx.execute<{ until: string }>(
      sql`select date_trunc('second', now() + make_interval(hours => ${hours})) as until`,
    )
    const until = new Date(rows[0]!.until).toISOString()
    await setTrialEnd(tx, userId, until)
    await requestProvisioning(tx, userId, { cause: 'trial', key: `trial:${id}:${Date.parse(until)}` })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'trial.create_line',
      targetType: 'trial_request',
      targetId: id,
      after: { until, hours, acknowledged: acknowledge },
      requestId: actor.requestId,
    })
  })
  return getTrialLine(db, id, key)
}

/**
 * Throws 409 for a recent trial. Accounts with the same mailbox count as one customer, because trial lines cost the operator money. The caller skips
 * this check with `acknowledge`.
 */
async function refuseIfRecent(tx: Tx, id: number, userId: number): Promise<void> {
  const [recent] = await tx
    .select({ username: users.username, requestDate: trialRequests.requestDate })
    .from(trialRequests)
    .innerJoin(users, eq(users.id, trialRequests.userId))
    .where(
      and(
        sql`users.mailbox = (select one.mailbox from users one where one.id = ${userId})`,
        ne(trialRequests.id, id),
        eq(trialRequests.status, 'approved'),
        sql`coalesce(${trialRequests.responseDate}, ${trialRequests.requestDate}) > now() - make_interval(days => ${daysBetweenTrials})`,
      ),
    )
    .limit(1)
  if (recent)
    conflict(
      'recent_trial',
      `${recent.username} had a trial within ${daysBetweenTrials} days, with the same mailbox. No line was created. Create one anyway only if that is intended.`,
    )
}

/** Returns the state of the line for a trial request, with the line's credentials once the panel has created it. Throws 404. */
export async function getTrialLine(db: Db, id: number, key: () => KeyOrRing): Promise<TrialLine> {
  const [[request], { kind }] = await Promise.all([
    db.select({ userId: trialRequests.userId }).from(trialRequests).where(eq(trialRequests.id, id)),
    settings.read(db, 'provisioning'),
  ])
  if (!request) return notFound('Trial request not found')
  const isAvailable = kind !== 'manual'
  const { userId } = request
  const [[line], [job]] = await Promise.all([
    db
      .select({ line: lines, runs: sql<boolean>`coalesce(${lines.trialUntil} > now(), false)` })
      .from(lines)
      .where(eq(lines.userId, userId)),
    db
      .select({ state: lineJobs.state, task: lineJobs.task, lastAnswer: lineJobs.lastAnswer })
      .from(lineJobs)
      .where(and(eq(lineJobs.userId, userId), sql`${lineJobs.causeKey} like ${`trial:${id}:%`}`))
      .orderBy(sql`${lineJobs.id} desc`)
      .limit(1),
  ])
  if (!job || !line?.runs) return { ...noLine, isAvailable, state: 'none' }
  if (job.task !== null) return { ...noLine, isAvailable, state: 'stuck', message: job.lastAnswer }
  if (job.state !== 'done') return { ...noLine, isAvailable, state: 'waiting', message: job.lastAnswer }
  const { username, password, server, trialUntil: expiryDate } = line.line
  return {
    isAvailable,
    state: 'ready',
    username,
    password: password && open(key(), password, sealedColumns.linePassword.context(userId)),
    server,
    expiryDate,
    message: null,
  }
}
