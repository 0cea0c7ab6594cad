import { asc, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { webhookDeliveries, webhooks } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { type Delivery, shownDeliveries, type WebhookRow } from '../../admin-contract.ts'
import { destinationOf, openTarget } from '../target.ts'

const format = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
const secretTime = (time: SQL) => sql<string | null>`(select to_char(${time} at time zone 'UTC', ${format})
  from webhook_secrets s where s.webhook_id = webhooks.id and (s.expires_at is null or s.expires_at > now()))`
const select = (db: Db | Tx) =>
  db
    .select({
      ...getTableColumns(webhooks),
      waiting: sql<number>`(select count(*)::int from webhook_deliveries d where d.webhook_id = webhooks.id and d.status = 'queued')`,
      secretSince: secretTime(sql`max(s.created_at) filter (where s.expires_at is null)`),
      oldSecretUntil: secretTime(sql`max(s.expires_at)`),
    })
    .from(webhooks)
type Row = Awaited<ReturnType<typeof select>>[number]

function toWebhookRow(config: Config, { sealed, createdAt: _, ...row }: Row): WebhookRow {
  const target = openTarget(config, { id: row.id, sealed })
  return { ...row, destination: destinationOf(row.type, target), chatId: target?.chatId ?? '' }
}

/** Returns all webhooks, sorted by name. */
export async function listWebhooks(db: Db, config: Config): Promise<WebhookRow[]> {
  return (await select(db).orderBy(asc(sql`lower(${webhooks.name})`))).map((row) => toWebhookRow(config, row))
}

/** Returns a webhook. The caller ensures that it exists. */
export async function webhookById(db: Db | Tx, config: Config, id: string): Promise<WebhookRow> {
  const [row] = await select(db).where(eq(webhooks.id, id))
  return toWebhookRow(config, row!)
}

const { webhookId: _webhook, sourceKey: _key, ...columns } = getTableColumns(webhookDeliveries)
const deliveryRow = ({
  dueAt,
  status,
  ...row
}: Omit<typeof webhookDeliveries.$inferSelect, 'webhookId' | 'sourceKey'>): Delivery => ({
  ...row,
  messageId: `msg_${row.messageId}`,
  status,
  dueAt: status === 'queued' ? dueAt : null,
})

/** Returns the newest deliveries of a webhook. Empty for a deleted webhook, because an open page may still request its deliveries. */
export async function listDeliveries(db: Db, webhookId: string): Promise<Delivery[]> {
  const rows = await db
    .select(columns)
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(desc(webhookDeliveries.id))
    .limit(shownDeliveries)
  return rows.map(deliveryRow)
}

/** Returns a delivery. Throws 404 if its webhook was deleted in the meantime. */
export async function deliveryById(db: Db, id: number): Promise<Delivery> {
  const [row] = await db.select(columns).from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  return row ? deliveryRow(row) : notFound('Webhook not found')
}
