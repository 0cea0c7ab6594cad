import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { type AuditEntry, audit, changedFields } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { webhookDeliveries, webhookSecrets, webhooks } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed, notifyWebhooks } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { WebhookForm, WebhookRow } from '../../admin-contract.ts'
import { maxSecrets, maxWebhooks, secretOverlapHours } from '../../rules.ts'
import { insertSecret } from '../secrets.ts'
import { checkAddress, destinationOf, openTarget, sealTarget, targetOf } from '../target.ts'
import { webhookById } from './read-webhooks.ts'

type Context = Pick<AppContext, 'db' | 'config'>
type WithSecret = { webhook: WebhookRow; secret: string | null }
type Stored = typeof webhooks.$inferSelect

/**
 * Adds a webhook and returns it with its signing secret, which is not returned again. Throws 400 for a missing or refused address and for a name that
 * is already used, and 409 `too_many_webhooks`.
 */
export async function createWebhook({ db, config }: Context, form: WebhookForm, actor: Actor): Promise<WithSecret> {
  const { type, name } = form
  const target = targetOf(type, form)
  await checkAddress(config, type, target.address)
  const kinds = sorted(form.kinds)
  return refusingTakenName(() =>
    inTransaction(db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhooks'), 0)`)
      if ((await tx.$count(webhooks)) >= maxWebhooks)
        return conflict('too_many_webhooks', `There can be at most ${maxWebhooks} webhooks.`)
      const id = randomUUID()
      await tx.insert(webhooks).values({ id, type, name, kinds, sealed: sealTarget(config, id, target) })
      const secret = type === 'signed' ? await insertSecret(tx, config, id) : null
      const after = { type, name, kinds, destination: destinationOf(type, target) }
      await record(tx, 'webhook.create', id, actor, { after })
      return { webhook: await webhookById(tx, config, id), secret }
    }),
  )
}

/**
 * Changes a webhook; an empty address or token keeps the stored one. Throws 404, 400 for a missing or refused address and for a name that is already
 * used, and 409 `stale`.
 */
export async function updateWebhook(
  { db, config }: Context,
  id: string,
  { version, ...form }: Omit<WebhookForm, 'type'> & { version: number },
  actor: Actor,
): Promise<WebhookRow> {
  const [found] = await db.select({ type: webhooks.type }).from(webhooks).where(eq(webhooks.id, id))
  if (!found) return notFound('Webhook not found')
  await checkAddress(config, found.type, form.address)
  return refusingTakenName(() =>
    inTransaction(db, async (tx) => {
      const before = await lockWebhook(tx, id, version)
      const stored = openTarget(config, before)
      const target = targetOf(before.type, form, stored)
      const to = { name: form.name, kinds: sorted(form.kinds) }
      await update(tx, id, { ...to, sealed: sealTarget(config, id, target) })
      const isNewTarget = JSON.stringify(target) !== JSON.stringify(stored)
      await record(tx, 'webhook.update', id, actor, {
        ...changedFields(shownFields(config, before), {
          ...to,
          destination: destinationOf(before.type, target),
          ...(isNewTarget && { address: 'replaced' }),
        }),
      })
      return webhookById(tx, config, id)
    }),
  )
}

/** Deletes a webhook with its secrets and deliveries. Throws 404, and 409 `stale`. */
export const deleteWebhook = (
  { db, config }: Context,
  id: string,
  version: number,
  actor: Actor,
): Promise<{ deleted: true }> =>
  inTransaction(db, async (tx) => {
    const before = await lockWebhook(tx, id, version)
    await tx.delete(webhooks).where(eq(webhooks.id, id))
    await record(tx, 'webhook.delete', id, actor, { before: { type: before.type, ...shownFields(config, before) } })
    return { deleted: true as const }
  })

/**
 * Pauses or resumes a webhook. Resuming also sends the notices that are still queued. If the webhook already has this state, only the version is
 * checked. Throws 404, and 409 `stale`.
 */
export const pauseWebhook = (
  { db, config }: Context,
  id: string,
  { paused, version }: { paused: boolean; version: number },
  actor: Actor,
): Promise<WebhookRow> =>
  inTransaction(db, async (tx) => {
    const { pausedAt } = await lockWebhook(tx, id, version)
    if (paused !== (pausedAt !== null)) {
      await update(
        tx,
        id,
        paused
          ? { pausedAt: sql`now()`, pauseReason: 'owner' }
          : { pausedAt: null, pauseReason: null, failingSince: null },
      )
      if (!paused) {
        await tx
          .update(webhookDeliveries)
          .set({ dueAt: sql`now()` })
          .where(sql`${webhookDeliveries.webhookId} = ${id} and ${webhookDeliveries.status} = 'queued'`)
        await notifyWebhooks(tx)
      }
      await record(tx, paused ? 'webhook.pause' : 'webhook.resume', id, actor, {})
    }
    return webhookById(tx, config, id)
  })

/**
 * Replaces the signing secret and returns the new one. Earlier secrets also sign until `secretOverlapHours` after their replacement, so that the
 * receiver loses no message. Throws 404, and 409 `stale`, `no_secret` or `too_many_secrets`.
 */
export const rotateSecret = ({ db, config }: Context, id: string, version: number, actor: Actor): Promise<WithSecret> =>
  inTransaction(db, async (tx) => {
    const { type } = await lockWebhook(tx, id, version)
    if (type !== 'signed') return conflict('no_secret', 'This webhook has no signing secret.')
    const its = sql`${webhookSecrets.webhookId} = ${id}`
    await tx.delete(webhookSecrets).where(sql`${its} and ${webhookSecrets.expiresAt} <= now()`)
    if ((await tx.$count(webhookSecrets, its)) >= maxSecrets)
      return conflict(
        'too_many_secrets',
        `There are already ${maxSecrets} valid secrets. Please wait until an earlier one expires.`,
      )
    await tx
      .update(webhookSecrets)
      .set({ expiresAt: sql`now() + make_interval(hours => ${secretOverlapHours})` })
      .where(sql`${its} and ${webhookSecrets.expiresAt} is null`)
    const secret = await insertSecret(tx, config, id)
    await update(tx, id, {})
    await record(tx, 'webhook.rotate', id, actor, {})
    return { webhook: await webhookById(tx, config, id), secret }
  })

const sorted = (kinds: WebhookForm['kinds']) => [...new Set(kinds)].sort()

const shownFields = (config: Config, row: Stored) => ({
  name: row.name,
  kinds: row.kinds,
  destination: destinationOf(row.type, openTarget(config, row)),
})

async function lockWebhook(tx: Tx, id: string, version: number): Promise<Stored> {
  const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('no key update')
  if (!row) return notFound('Webhook not found')
  if (row.version !== version)
    return conflict('stale', 'This webhook was changed in the meantime. Please check it and try again.')
  return row
}

const update = (tx: Tx, id: string, to: Parameters<ReturnType<typeof tx.update<typeof webhooks>>['set']>[0]) =>
  tx
    .update(webhooks)
    .set({ ...to, version: sql`${webhooks.version} + 1` })
    .where(eq(webhooks.id, id))

async function record(
  tx: Tx,
  action: AuditEntry['action'],
  targetId: string,
  { admin, requestId }: Actor,
  fields: Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  await audit(tx, { actorId: admin.id, action, targetType: 'webhook', targetId, ...fields, requestId })
  await changed(tx, 'webhook')
}

/** Runs `work`, and throws 400 on `name` if another webhook already has this name. */
async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violationOf(error)?.constraint === 'webhooks_name')
      invalid('name', 'Another webhook already has this name', 'name_taken')
    throw error
  }
}
