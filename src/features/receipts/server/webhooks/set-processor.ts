import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { AccountContext, RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { readSecret, secretSetAt, writeSecret } from '#features/settings/server/secrets.ts'
import { withProof } from '#features/two-factor/server/service/with-proof.ts'
import { audit, changedFields } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentProcessorSecrets, paymentProcessors } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { Actor } from '#server/session/actor.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { ProcessorForm, ProcessorState, secretForm } from '../../admin-processor-contract.ts'
import { eventReason, maxSigningSecrets, type Processor, processorNames } from '../../processor-rules.ts'
import { testStore } from './btcpay-invoice.ts'
import { callerOf, processorState } from './processors.ts'

type Context = Pick<AppContext, 'db' | 'config'>
const lockProcessor = async (tx: Tx, name: Processor) =>
  (await tx.select().from(paymentProcessors).where(eq(paymentProcessors.name, name)).for('update'))[0]!

/**
 * Turns a processor on or off, and stores how its invoices are read. All owners get an email when it is turned on. Throws 400 at the field that is
 * missing, and 409 if the settings have changed since `version`.
 */
export const updateProcessor = (
  { db, config }: Context,
  name: Processor,
  { version, enabled, address, storeId, apiKey }: ProcessorForm & { version: number },
  actor: Actor,
): Promise<ProcessorState> =>
  inTransaction(db, async (tx) => {
    const from = await lockProcessor(tx, name)
    if (from.version !== version)
      return conflict('stale', 'Another administrator has changed these settings. Please check them and try again.')
    const to = name === 'btcpay' ? { enabled, address, storeId } : { enabled, address: '', storeId: '' }
    if (name === 'btcpay') await storeKey(tx, config, { ...to, apiKey }, from)
    const secrets = await tx.$count(paymentProcessorSecrets, eq(paymentProcessorSecrets.processor, name))
    if (enabled && secrets === 0) return invalid('enabled', 'Please add a signing secret first')
    await tx
      .update(paymentProcessors)
      .set({ ...to, version: sql`${paymentProcessors.version} + 1` })
      .where(eq(paymentProcessors.name, name))
    const { before, after } = changedFields({ enabled: from.enabled, address: from.address, storeId: from.storeId }, to)
    await note(tx, 'processor.update', name, actor, { before, after: { ...after, ...(apiKey && { key: 'replaced' }) } })
    if (enabled && !from.enabled) await announce(tx, name, 'turned on', actor)
    return processorState(tx, config, name)
  })

/** Stores the API key. The stored key is removed if the server changes, so that it is never sent to a server that it was not entered for. */
async function storeKey(
  tx: Tx,
  config: Context['config'],
  { enabled, address, storeId, apiKey }: ProcessorForm,
  from: { address: string },
): Promise<void> {
  if (enabled && address === '') invalid('address', 'Please enter the address of the server')
  if (address !== '' && !config.btcpayAllowPrivate && !/^https:/i.test(address))
    invalid('address', 'Please use an address that begins with https://')
  if (enabled && storeId === '') invalid('storeId', 'Please enter the store ID')
  const isSet = (await secretSetAt(tx, 'btcpay-key')) !== null
  const isForgotten = apiKey === '' && isSet && address !== from.address
  if (enabled && apiKey === '' && (isForgotten || !isSet))
    invalid(
      'apiKey',
      isForgotten ? 'Please enter the API key again: the stored one is for another server' : 'Please enter the API key',
    )
  if (apiKey !== '' || isForgotten) await writeSecret(tx, config, 'btcpay-key', isForgotten ? null : apiKey)
}

type NewSecret = z.output<typeof secretForm>
/**
 * Adds a signing secret; the others stay valid, so that no event is lost while one is replaced. Anyone with a secret can report payments, so adding one
 * requires the administrator's password, with a code if two-step verification is on. Throws 409 if there are too many secrets, and the errors of `withProof`.
 */
export const addSecret = (
  ctx: AccountContext & Pick<AppContext, 'config'>,
  name: Processor,
  { secret, ...proof }: NewSecret,
  admin: SessionUser,
  request: RequestContext,
): Promise<ProcessorState> =>
  withProof(
    ctx,
    admin,
    proof,
    request,
    () => (tx) => insertSecret(tx, ctx.config, name, secret, { admin, requestId: request.requestId }),
  )

async function insertSecret(
  tx: Tx,
  config: Context['config'],
  name: Processor,
  secret: string,
  actor: Actor,
): Promise<ProcessorState> {
  await lockProcessor(tx, name)
  const count = await tx.$count(paymentProcessorSecrets, eq(paymentProcessorSecrets.processor, name))
  if (count >= maxSigningSecrets)
    return conflict('too_many_secrets', `There are ${maxSigningSecrets} secrets already. Please remove one first.`)
  const id = randomUUID()
  await tx.insert(paymentProcessorSecrets).values({
    id,
    processor: name,
    sealed: seal(secretKey(config), secret, sealedColumns.processorSecret.context(id)),
    ending: secret.slice(-4),
    createdBy: actor.admin.id,
  })
  await note(tx, 'processor.add_secret', name, actor, { after: { ending: secret.slice(-4) } })
  await announce(tx, name, 'a signing secret was added', actor)
  return processorState(tx, config, name)
}

/** Removes a signing secret. Throws 404, and 409 for the last secret of a processor that is on. */
export const removeSecret = (
  { db, config }: Context,
  name: Processor,
  secretId: string,
  actor: Actor,
): Promise<ProcessorState> =>
  inTransaction(db, async (tx) => {
    const { enabled } = await lockProcessor(tx, name)
    const known = and(eq(paymentProcessorSecrets.id, secretId), eq(paymentProcessorSecrets.processor, name))
    const [removed] = await tx.delete(paymentProcessorSecrets).where(known).returning()
    if (!removed) return notFound('Secret not found')
    const left = await tx.$count(paymentProcessorSecrets, eq(paymentProcessorSecrets.processor, name))
    if (enabled && left === 0)
      return conflict('last_secret', `Turn ${processorNames[name]} off first, or add a new secret first.`)
    await note(tx, 'processor.remove_secret', name, actor, { before: { ending: removed.ending } })
    return processorState(tx, config, name)
  })

type Fields = { before?: Record<string, unknown>; after?: Record<string, unknown> }
async function note(
  tx: Tx,
  action: 'processor.update' | 'processor.add_secret' | 'processor.remove_secret',
  name: Processor,
  { admin, requestId }: Actor,
  fields: Fields,
): Promise<void> {
  await audit(tx, { actorId: admin.id, action, targetType: 'processor', targetId: name, ...fields, requestId })
  await changed(tx, 'setting')
}

const announce = (tx: Tx, name: Processor, what: string, { admin, requestId }: Actor): Promise<void> =>
  notifyOwners(tx, {
    event: 'processor_changed',
    about: `${processorNames[name]}: ${what}`,
    actor: admin,
    key: requestId ?? randomUUID(),
  })

/**
 * Tests whether the invoices of BTCPay Server can be read with the values of the form. If the form has no key, the stored key is used, but only for the stored
 * server.
 */
export async function testBtcpay(
  { db, config }: Context,
  { address, storeId, apiKey }: Pick<ProcessorForm, 'address' | 'storeId' | 'apiKey'>,
  { admin, requestId }: Actor,
): Promise<{ ok: boolean; message: string }> {
  const stored = await processorState(db, config, 'btcpay')
  const key = apiKey || (stored.address === address ? await readSecret(db, config, 'btcpay-key') : null)
  if (!address || !storeId || !key)
    return { ok: false, message: 'Please enter the address, the store ID and the API key.' }
  const reason = await testStore({ address, storeId, key, ...callerOf(config) })
  await audit(db, {
    actorId: admin.id,
    action: 'processor.test',
    targetType: 'processor',
    targetId: 'btcpay',
    after: { address, outcome: reason ?? 'ok' },
    requestId,
  })
  if (reason === 'invoice_unknown')
    return { ok: false, message: 'There is no such store or no BTCPay Server API at this address.' }
  return reason
    ? { ok: false, message: eventReason(reason) }
    : { ok: true, message: 'Connected. The invoices of the store can be read.' }
}
