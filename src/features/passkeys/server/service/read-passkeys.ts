import { and, asc, eq } from 'drizzle-orm'
import type { AccountContext, Proof, RequestContext } from '#features/accounts/server/service/confirm-password.ts'
import { withProof } from '#features/two-factor/server/service/with-proof.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { passkeys } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { Passkey } from '../../contract.ts'
import { emailPasskeyChange } from '../passkey-mail.ts'

const { id, name, createdAt, lastUsedAt } = passkeys
/** The columns of a passkey that its user may see. */
export const passkeyView = { id, name, createdAt, lastUsedAt }
const isOwn = (userId: number, passkeyId: number) => and(eq(passkeys.userId, userId), eq(id, passkeyId))
const passkeyNotFound = () => notFound('Passkey not found')

/** Returns the passkeys of a user, oldest first. */
export const listPasskeys = (db: Db, userId: number): Promise<Passkey[]> =>
  db.select(passkeyView).from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(id))

/** Renames a passkey. Throws 404 for an unknown passkey and for another user's passkey. */
export async function updatePasskey(
  db: Db,
  user: SessionUser,
  passkeyId: number,
  newName: string,
  requestId: string,
): Promise<Passkey> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select({ name }).from(passkeys).where(isOwn(user.id, passkeyId)).for('update')
    if (!before) return passkeyNotFound()
    const [after] = await tx
      .update(passkeys)
      .set({ name: newName })
      .where(isOwn(user.id, passkeyId))
      .returning(passkeyView)
    await audit(tx, {
      actorId: user.id,
      action: 'passkey.update',
      targetType: 'passkey',
      targetId: passkeyId,
      before,
      after: { name: newName },
      requestId,
    })
    await changed(tx, 'passkey', { user: user.id })
    return after!
  })
}

/** Removes a passkey and emails its user. Throws like `withProof`, and 404 for an unknown passkey and for another user's passkey. */
export async function removePasskey(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  user: SessionUser,
  passkeyId: number,
  proof: Proof,
  request: RequestContext,
): Promise<{ message: string }> {
  const { requestId } = request
  const [known] = await ctx.db.select({ id }).from(passkeys).where(isOwn(user.id, passkeyId))
  if (!known) return passkeyNotFound()
  return withProof(ctx, user, proof, request, () => async (tx) => {
    const [removed] = await tx.delete(passkeys).where(isOwn(user.id, passkeyId)).returning({ name })
    if (!removed) return passkeyNotFound()
    await emailPasskeyChange(tx, user, { change: 'removed', name: removed.name }, requestId)
    await audit(tx, {
      actorId: user.id,
      action: 'passkey.remove',
      targetType: 'passkey',
      targetId: passkeyId,
      before: removed,
      requestId,
    })
    await changed(tx, 'passkey', { user: user.id })
    return { message: `You can no longer log in with ${removed.name}.` }
  })
}
