import { eq, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import { open, seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { syncAccount as endpoint, IptvCredentials } from '../../contract.ts'
import { outcomes, syncedMessage } from '../../rules.ts'
import { type CheckContext, checkCredentials } from './check-credentials.ts'

const synced = { synced: true, message: syncedMessage }

/**
 * Checks credentials and stores valid ones, the password encrypted. Syncing the same credentials again only updates the time. Refused credentials change
 * nothing. Throws like `checkCredentials`, and 409 if other credentials were stored during the check.
 */
export async function syncAccount(
  context: CheckContext,
  user: SessionUser,
  credentials: IptvCredentials,
  requestId: string,
): Promise<Output<typeof endpoint>> {
  const { db, config } = context
  const sealContext = sealedColumns.iptvPassword.context(user.id)
  const before = await storedFor(db, user.id)
  const verdict = await checkCredentials(context, user, credentials, requestId)
  if (verdict.outcome !== 'ok') return { synced: false, message: outcomes[verdict.outcome].message }

  const key = secretKey(config)
  const iptvPassword = seal(key, credentials.iptvPassword, sealContext)
  return inTransaction(db, async (tx) => {
    const { iptvPassword: sealed, ...known } = await storedFor(tx, user.id, 'locked')
    const isSame =
      known.iptvUsername === credentials.iptvUsername &&
      sealed !== null &&
      open(key, sealed, sealContext) === credentials.iptvPassword
    // Each encryption gives a different ciphertext, so an unchanged ciphertext means that no other sync happened.
    if (sealed !== before.iptvPassword && !isSame)
      return conflict(
        'synced_meanwhile',
        'Your IPTV account was synced elsewhere at the same time. Please reload the page.',
      )
    const maxConnections = verdict.maxConnections ?? known.iptvMaxConnections
    if (isSame && known.iptvSynced && maxConnections === known.iptvMaxConnections) {
      await tx.update(users).set({ iptvSyncedAt: sql`now()` }).where(eq(users.id, user.id))
      await changed(tx, 'iptv_account', { user: user.id })
      return synced
    }
    const after = { iptvUsername: credentials.iptvUsername, iptvSynced: true, iptvMaxConnections: maxConnections }
    await tx
      .update(users)
      .set({ ...after, iptvPassword, iptvSyncedAt: sql`now()` })
      .where(eq(users.id, user.id))
    await audit(tx, {
      actorId: user.id,
      action: 'iptv.sync',
      targetType: 'user',
      targetId: user.id,
      before: known,
      after,
      requestId,
    })
    await changed(tx, 'iptv_account', { user: user.id })
    return synced
  })
}

async function storedFor(db: Db | Tx, userId: number, locked?: 'locked') {
  const { iptvUsername, iptvPassword, iptvSynced, iptvMaxConnections } = users
  const query = db
    .select({ iptvUsername, iptvPassword, iptvSynced, iptvMaxConnections })
    .from(users)
    .where(eq(users.id, userId))
  const [row] = await (locked ? query.for('no key update') : query)
  return row ?? notFound('User not found')
}
