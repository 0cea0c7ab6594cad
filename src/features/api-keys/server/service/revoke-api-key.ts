import { eq, sql } from 'drizzle-orm'
import type { AccountContext, Proof, RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { withProof } from '#features/two-factor/server/service/with-proof.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { apiKeys } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { ApiKey } from '../../admin-contract.ts'
import { apiKeyById } from './read-api-keys.ts'

/**
 * Revokes an API key: waits for running transactions of its requests, and none can start afterwards. All owners are emailed. Throws 404, 409
 * `revoked` for a key that was revoked before, and like `withProof`.
 */
export const revokeApiKey = (
  ctx: AccountContext & Pick<AppContext, 'config'>,
  apiKeyId: number,
  proof: Proof,
  owner: SessionUser,
  request: RequestContext,
): Promise<ApiKey> =>
  withProof(
    { ...ctx, db: lockingKeyFirst(ctx.db, apiKeyId) },
    owner,
    proof,
    request,
    () => (tx) => markRevoked(tx, apiKeyId, { admin: owner, requestId: request.requestId }),
  )

/**
 * Wraps `db` so that every transaction first locks the key. That conflicts with the lock of each transaction of the key, for which a plain update
 * would not wait. It comes before the lock of the owner's row, which transactions of the key may wait for: otherwise both would wait for each other.
 */
function lockingKeyFirst(db: Db, id: number): Db {
  const transaction: Db['transaction'] = (work, config) =>
    db.transaction(async (tx) => {
      await tx.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.id, id)).for('update')
      return work(tx)
    }, config)
  return Object.assign(Object.create(db) as Db, { transaction })
}

async function markRevoked(tx: Tx, id: number, { admin, requestId }: Actor): Promise<ApiKey> {
  const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id))
  if (!key) return notFound('API key not found')
  if (key.revokedAt !== null) conflict('revoked', 'This API key was revoked before.')
  await tx.update(apiKeys).set({ revokedAt: sql`now()`, revokedBy: admin.id }).where(eq(apiKeys.id, id))
  await audit(tx, {
    actorId: admin.id,
    action: 'api_key.revoke',
    targetType: 'api_key',
    targetId: id,
    before: { name: key.name, prefix: key.prefix },
    requestId,
  })
  await notifyOwners(tx, {
    event: 'api_key_revoked',
    about: `${key.name} (${key.prefix}…)`,
    actor: admin,
    key: requestId,
  })
  await changed(tx, 'api_key')
  return apiKeyById(tx, id)
}
