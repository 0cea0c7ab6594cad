import { sql } from 'drizzle-orm'
import type { AccountContext, RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { withProof } from '#features/two-factor/server/service/with-proof.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { apiKeys } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import { newApiKey, prefixOf } from '#server/session/api-key-format.ts'
import { hashOf, type SessionUser } from '#server/session/session.ts'
import type { CreatedApiKey, NewApiKey } from '../../admin-contract.ts'
import { endsOnMessage, maxApiKeys } from '../../rules.ts'
import { apiKeyById, isInUse } from './read-api-keys.ts'

/**
 * Creates an API key that acts for this owner, and returns it. Only its SHA-256 is stored. All owners are emailed. Throws 400 for a last day in the past
 * or more than ten years ahead, 409 `too_many_api_keys` beyond `maxApiKeys`, and like `withProof`.
 */
export const createApiKey = (
  ctx: AccountContext & Pick<AppContext, 'config'>,
  { currentPassword, code, ...fields }: NewApiKey,
  owner: SessionUser,
  request: RequestContext,
): Promise<CreatedApiKey> =>
  withProof(
    ctx,
    owner,
    { currentPassword, code },
    request,
    () => (tx) => insertKey(tx, fields, { admin: owner, requestId: request.requestId }),
  )

async function insertKey(
  tx: Tx,
  { name, scopes, endsOn }: Omit<NewApiKey, 'currentPassword' | 'code'>,
  { admin, requestId }: Actor,
): Promise<CreatedApiKey> {
  const endsAt = endsOn === '' ? null : await endOfDay(tx, endsOn)
  // Only one key is created at a time, so that concurrent requests cannot exceed the limit.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('api keys'))`)
  if ((await tx.$count(apiKeys, isInUse)) >= maxApiKeys)
    conflict('too_many_api_keys', `There are ${maxApiKeys} API keys in use. Please revoke one first.`)
  const key = newApiKey()
  const values = { name, prefix: prefixOf(key), scopes: [...new Set(scopes)].sort(), endsAt }
  const [created] = await tx
    .insert(apiKeys)
    .values({ ...values, keyHash: hashOf(key), createdBy: admin.id })
    .returning({ id: apiKeys.id })
  const { id } = created!
  await audit(tx, {
    actorId: admin.id,
    action: 'api_key.create',
    targetType: 'api_key',
    targetId: id,
    after: values,
    requestId,
  })
  await notifyOwners(tx, {
    event: 'api_key_created',
    about: `${name} (${values.prefix}…): ${values.scopes.join(', ')}`,
    actor: admin,
    key: requestId,
  })
  await changed(tx, 'api_key')
  return { apiKey: await apiKeyById(tx, id), key }
}

/** Returns the end of a day in UTC. Throws 400 on `endsOn` unless the day is between today and ten years from now, by the database's clock. */
async function endOfDay(tx: Tx, day: string): Promise<string> {
  const { rows } = await tx.execute<{ endsAt: Date; isPossible: boolean }>(sql`
    select ends_at as "endsAt", ends_at > now() and ends_at < now() + interval '10 years' as "isPossible"
    from (select ((${day}::date + 1)::timestamp at time zone 'UTC') as ends_at) as day`)
  const { endsAt, isPossible } = rows[0]!
  if (!isPossible) invalid('endsOn', endsOnMessage)
  return new Date(endsAt).toISOString()
}
