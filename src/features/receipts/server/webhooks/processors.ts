import { asc, desc, eq } from 'drizzle-orm'
import { readSecret, secretSetAt } from '#features/settings/server/secrets.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { paymentEvents, paymentProcessorSecrets, paymentProcessors } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { ProcessorState } from '../../admin-processor-contract.ts'
import { type Processor, webhookPaths } from '../../processor-rules.ts'
import type { BtcpayStore } from './btcpay-invoice.ts'
import type { Secret } from './signature.ts'

export type ProcessorRow = typeof paymentProcessors.$inferSelect

export const readProcessor = async (db: Db | Tx, name: Processor): Promise<ProcessorRow> =>
  (await db.select().from(paymentProcessors).where(eq(paymentProcessors.name, name)))[0]!

/** Returns the decrypted secrets that a processor may sign its events with. */
export async function readSigningSecrets(db: Db, config: Config, name: Processor): Promise<Secret[]> {
  const rows = await db
    .select({ id: paymentProcessorSecrets.id, sealed: paymentProcessorSecrets.sealed })
    .from(paymentProcessorSecrets)
    .where(eq(paymentProcessorSecrets.processor, name))
  const key = secretKey(config)
  return rows.map(({ id, sealed }) => ({ id, value: open(key, sealed, sealedColumns.processorSecret.context(id)) }))
}

/** Returns how to access the configured store at BTCPay Server, from which amounts are read. */
export async function readBtcpayStore(db: Db, config: Config): Promise<BtcpayStore> {
  const { address, storeId } = await readProcessor(db, 'btcpay')
  return { address, storeId, key: await readSecret(db, config, 'btcpay-key'), ...callerOf(config) }
}

export const callerOf = (config: Config) => ({ allowPrivate: config.btcpayAllowPrivate, userAgent: 'Sauce' })

/** Returns a processor as the settings page shows it. */
export async function processorState(db: Db | Tx, config: Config, name: Processor): Promise<ProcessorState> {
  const { refusedAt, refusal, ...row } = await readProcessor(db, name)
  const secrets = await db
    .select({
      id: paymentProcessorSecrets.id,
      ending: paymentProcessorSecrets.ending,
      createdAt: paymentProcessorSecrets.createdAt,
      lastUsedAt: paymentProcessorSecrets.lastUsedAt,
    })
    .from(paymentProcessorSecrets)
    .where(eq(paymentProcessorSecrets.processor, name))
    .orderBy(asc(paymentProcessorSecrets.createdAt))
  return {
    ...row,
    url: config.publicUrl + webhookPaths[name],
    keySet: name === 'btcpay' && (await secretSetAt(db, 'btcpay-key')) !== null,
    secrets,
    refused: refusedAt && refusal ? { at: refusedAt, refusal } : null,
    events: await db
      .select(eventColumns)
      .from(paymentEvents)
      .where(eq(paymentEvents.processor, name))
      .orderBy(desc(paymentEvents.id))
      .limit(limits.event.shown),
  }
}

export const eventColumns = {
  id: paymentEvents.id,
  processor: paymentEvents.processor,
  eventId: paymentEvents.eventId,
  type: paymentEvents.type,
  subject: paymentEvents.subject,
  receivedAt: paymentEvents.receivedAt,
  outcome: paymentEvents.outcome,
  reason: paymentEvents.reason,
}
