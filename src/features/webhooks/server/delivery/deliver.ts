import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { webhookDeliveries, webhooks } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import { retryAfter, type WebhookType } from '../../rules.ts'
import { readSecrets } from '../secrets.ts'
import { openTarget } from '../target.ts'
import { type Outcome, send } from './send.ts'

export type DeliveryContext = Pick<AppContext, 'db' | 'config' | 'log'>
/** A claimed delivery with its webhook. `attempts` includes the attempt that is about to be made. */
export type ClaimedDelivery = {
  id: number
  webhookId: string
  messageId: string
  kind: string
  subjectId: number | null
  invoiceNumber: string | null
  createdAt: string
  attempts: number
  timestamp: number
  type: WebhookType
  sealed: string
}

const claimedColumns = sql`
  d.id::float8, d.webhook_id as "webhookId", 'msg_' || d.message_id as "messageId", d.kind, d.subject_id::float8 as "subjectId", d.attempts,
  (select i.invoice_number from invoices i where i.id = d.subject_id and d.kind in ('payment', 'card_link', 'refund')) as "invoiceNumber",
  to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
  extract(epoch from now())::int as timestamp, w.type, w.sealed`
const claimed = sql`attempts = d.attempts + 1, attempted_at = now(), due_at = now() + make_interval(secs => ${limits.webhook.leaseSeconds})`

/**
 * Claims due deliveries of all webhooks that are not paused, at most `limits.webhook.atOnce` of each. A claim expires with its lease, so the
 * deliveries of a process that died are claimed again.
 */
export async function claimDue(db: Db): Promise<ClaimedDelivery[]> {
  const { rows } = await db.execute<ClaimedDelivery>(sql`
    with due as materialized (
      select found.id from webhooks w cross join lateral (
        select d.id from webhook_deliveries d where d.webhook_id = w.id and d.status = 'queued' and d.due_at <= now()
        order by d.due_at, d.id limit ${limits.webhook.atOnce} for update skip locked) found
      where w.paused_at is null)
    update webhook_deliveries d set ${claimed} from webhooks w where w.id = d.webhook_id and d.id in (select id from due)
    returning ${claimedColumns}`)
  return rows
}

/** Inserts a test message as already claimed, so that the worker does not send it as well. Returns undefined for an unknown webhook. */
export async function insertTest(tx: Tx, webhookId: string): Promise<ClaimedDelivery | undefined> {
  const { rows } = await tx.execute<ClaimedDelivery>(sql`
    with d as (
      insert into webhook_deliveries (webhook_id, kind, attempts, attempted_at, due_at)
      select id, 'test', 1, now(), now() + make_interval(secs => ${limits.webhook.leaseSeconds}) from webhooks where id = ${webhookId}
      returning *)
    select ${claimedColumns} from d join webhooks w on w.id = d.webhook_id`)
  return rows[0]
}

/**
 * Sends a claimed delivery and records the outcome. Returns the seconds until the next attempt; undefined if there is none. The message is sent
 * outside of any transaction.
 */
export async function deliver(context: DeliveryContext, delivery: ClaimedDelivery): Promise<number | undefined> {
  const { db, log } = context
  const outcome = await attempt(context, delivery)
  const isSent = outcome.reason === null
  const isTest = delivery.kind === 'test'
  const seconds = isSent || isTest ? undefined : retryAfter(delivery.attempts, outcome.waitSeconds)
  if (!isSent)
    log.warn(
      { delivery: delivery.id, webhook: delivery.webhookId, attempts: delivery.attempts, reason: outcome.reason },
      'notice not delivered',
    )
  const to = isSent
    ? { status: 'sent' as const }
    : seconds === undefined
      ? { status: 'failed' as const }
      : { dueAt: sql`now() + make_interval(secs => ${seconds})` }
  await inTransaction(db, async (tx) => {
    const { id, attempts, webhookId } = delivery
    // Locks the webhook before its delivery, in the same order as `pauseWebhook`, to prevent deadlocks.
    await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, webhookId)).for('no key update')
    const [recorded] = await tx
      .update(webhookDeliveries)
      .set({ ...to, responseStatus: outcome.status, reason: outcome.reason })
      // Only if this process still holds the claim.
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.status, 'queued'),
          eq(webhookDeliveries.attempts, attempts),
        ),
      )
      .returning({ id: webhookDeliveries.id })
    if (!recorded) return
    if (isSent) await clearFailures(tx, webhookId)
    else if (!isTest) await countFailure(tx, webhookId, outcome)
    await changed(tx, 'webhook')
  })
  return seconds
}

async function attempt({ db, config }: DeliveryContext, delivery: ClaimedDelivery): Promise<Outcome> {
  const target = openTarget(config, { id: delivery.webhookId, sealed: delivery.sealed })
  const secrets = delivery.type === 'signed' ? await readSecrets(db, config, delivery.webhookId) : []
  if (!target || (delivery.type === 'signed' && secrets.length === 0))
    return { status: null, reason: 'unreadable', waitSeconds: 0 }
  return send(config, { ...delivery, target, secrets })
}

const clearFailures = (tx: Tx, id: string) =>
  tx
    .update(webhooks)
    .set({ failingSince: null })
    .where(and(eq(webhooks.id, id), isNotNull(webhooks.failingSince)))

/**
 * Records the time since which the webhook has been failing. Pauses the webhook after `failingDays`, or when the receiver answers 410 (Gone), and
 * then emails the owners once.
 */
async function countFailure(tx: Tx, id: string, { status }: Outcome): Promise<void> {
  const [found] = await tx
    .update(webhooks)
    .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
    .where(and(eq(webhooks.id, id), sql`${webhooks.pausedAt} is null`))
    .returning({
      name: webhooks.name,
      failingSince: webhooks.failingSince,
      isOld: sql<boolean>`${webhooks.failingSince} <= now() - make_interval(days => ${limits.webhook.failingDays})`,
    })
  if (!found || (!found.isOld && status !== 410)) return
  const pauseReason = status === 410 ? 'gone' : 'failures'
  await tx
    .update(webhooks)
    .set({ pausedAt: sql`now()`, pauseReason, version: sql`${webhooks.version} + 1` })
    .where(eq(webhooks.id, id))
  await audit(tx, {
    actorId: null,
    action: 'webhook.pause',
    targetType: 'webhook',
    targetId: id,
    after: { pauseReason },
  })
  await notifyOwners(tx, {
    event: 'webhook_paused',
    about: found.name,
    actor: null,
    key: `${id}:${found.failingSince}`,
  })
}
