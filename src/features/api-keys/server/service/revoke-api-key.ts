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
 * Revokes an API key. Waits until the running transactions of requests with the key have ended; no new ones can start afterwards. All owners are
 * emailed. Throws 404 for an unknown id, 409 `revoked` for a key that is already revoked, and like `withProof`.
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
 * Wraps `db` so that every transaction first locks the row of the key. Requests with the key hold a key-share lock on this row while they write. A plain
 * update would not wait for that lock; `for update` does. The row of the key is locked before the row of the owner: requests with the key may wait for
 * the owner's row, so the other order could deadlock.
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
  if (key.revokedAt !== null) conflict('revoked', 'This API key has already been revoked.')
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
