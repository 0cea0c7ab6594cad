import { and, eq, isNull, sql } from 'drizzle-orm'
import {
  type AccountContext,
  type RequestContext,
  withPassword,
} from '#features/accounts/server/service/confirm-password.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { recoveryCodes, twoFactor } from '#server/db/tables.ts'
import { conflict, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed, notifySessionsChanged } from '#server/live/notify.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { TwoFactor } from '../../contract.ts'
import { wrongCodeMessage } from '../../rules.ts'
import { consumeCode, replaceRecoveryCodes, secretContext } from '../codes.ts'
import { generateSecret, otpauthUri } from '../totp.ts'
import { emailTwoFactorChange } from '../two-factor-mail.ts'

/** Returns the state of a user's two-step verification. */
export async function readTwoFactor(db: Db, user: SessionUser): Promise<TwoFactor> {
  const { requireTwoFactorForAdmins } = await settings.read(db, 'accounts')
  const [row] = await db.select({ since: twoFactor.confirmedAt }).from(twoFactor).where(eq(twoFactor.userId, user.id))
  const left = row?.since
    ? await db.$count(recoveryCodes, and(eq(recoveryCodes.userId, user.id), isNull(recoveryCodes.usedAt)))
    : 0
  return {
    enabled: Boolean(row?.since),
    since: row?.since ?? null,
    recoveryCodesLeft: left,
    required: requireTwoFactorForAdmins && user.accountRole === 'admin',
  }
}

/**
 * Generates a secret after checking the password. The secret takes effect when `confirmTwoFactor` succeeds. Throws like `withPassword`, and 409 if
 * two-step verification is already on.
 */
export async function createTwoFactor(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  user: SessionUser,
  password: string,
  request: RequestContext,
): Promise<{ secret: string; address: string }> {
  const secret = generateSecret()
  const sealed = seal(secretKey(ctx.config), secret, secretContext(user.id))
  const { brand } = await settings.read(ctx.db, 'site')
  await withPassword(ctx, user, password, request, () => async (tx) => {
    const stored = await tx
      .insert(twoFactor)
      .values({ userId: user.id, secret: sealed })
      .onConflictDoUpdate({
        target: twoFactor.userId,
        set: { secret: sealed, createdAt: sql`now()`, lastStep: 0 },
        setWhere: isNull(twoFactor.confirmedAt),
      })
      .returning({ userId: twoFactor.userId })
    if (stored.length === 0) conflict('two_factor_on', 'Two-step verification is already on.')
  })
  return { secret, address: otpauthUri(brand.name, user.username, secret) }
}

/**
 * Turns two-step verification on after checking a code from the authenticator app. Throws 400 on `code` for a wrong code, 409 if two-step
 * verification is already on or its setup was not started, and 429 after too many wrong codes.
 */
export async function confirmTwoFactor(
  { config, db, limits }: Pick<AppContext, 'config' | 'db' | 'limits'>,
  user: SessionUser,
  code: string,
  requestId: string,
): Promise<Output<typeof import('../../contract.ts').confirmTwoFactor>> {
  const attempt = limits.secondStep(user.id)
  await attempt.count()
  const key = secretKey(config)
  const confirmed = await inTransaction(db, async (tx) => {
    const [row] = await tx
      .select({ confirmedAt: twoFactor.confirmedAt })
      .from(twoFactor)
      .where(eq(twoFactor.userId, user.id))
      .for('no key update')
    if (!row) conflict('not_set_up', 'Please start the setup again.')
    if (row?.confirmedAt) conflict('two_factor_on', 'Two-step verification is already on.')
    if (!(await consumeCode(tx, key, user.id, code, { confirmed: false }))) return undefined
    await tx.update(twoFactor).set({ confirmedAt: sql`now()` }).where(eq(twoFactor.userId, user.id))
    const recoveryCodes = await replaceRecoveryCodes(tx, user.id)
    await emailTwoFactorChange(tx, user, 'on', requestId)
    await audit(tx, {
      actorId: user.id,
      action: 'user.confirm_two_factor',
      targetType: 'user',
      targetId: user.id,
      requestId,
    })
    await changed(tx, 'two_factor', { user: user.id })
    // Closes the user's sockets, so that they reconnect with an administrator's rights.
    if (user.lacksSecondStep) await notifySessionsChanged(tx, user.id)
    return { recoveryCodes }
  })
  if (!confirmed)
    throw new Refusal(400, 'wrong_code', wrongCodeMessage, { issues: [{ path: 'code', message: wrongCodeMessage }] })
  await attempt.forgive()
  return confirmed
}
