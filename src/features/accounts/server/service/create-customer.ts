import { randomBytes } from 'node:crypto'
import * as referrals from '#features/referrals/server/service.ts'
import { audit } from '#server/audit.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { invalid, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Actor } from '#server/session/actor.ts'
import { userView } from '#server/session/user-view.ts'
import type { AdminUser } from '../../admin-contract.ts'
import { isReservedName, reservedMessage } from '../../rules.ts'
import { generateToken, storeToken } from '../mailed-token.ts'

type NewCustomer = { username: string; email: string; fullName?: string | undefined }

/** The field and the message for each unique index. Registration, in contrast, does not reveal which of the two is taken. */
const taken: Record<string, [field: string, message: string]> = {
  users_name: ['username', 'Another account has this username'],
  users_mail: ['email', 'Another account has this email address'],
}

/**
 * Creates a customer who cannot log in before they choose a password: they get a one-time link by email, valid for 7 days. Throws 400 for a
 * reserved name, and 409 on the field for a taken name or email address.
 */
export async function createCustomer(
  { config, db, passwords }: Pick<AppContext, 'config' | 'db' | 'passwords'>,
  form: NewCustomer,
  { admin, requestId }: Actor,
): Promise<AdminUser> {
  if (isReservedName(form.username)) invalid('username', reservedMessage, 'reserved_name')
  const passwordHash = await passwords.hash(randomBytes(24).toString('base64url'))
  const token = generateToken()
  const dedupeKey = `account_created:${requestId}`
  const sealed = sealLink(secretKey(config), dedupeKey, `/reset-password#token=${token}`)
  const values = { username: form.username, email: form.email, fullName: form.fullName || null }
  const insert = (): Promise<AdminUser> =>
    inTransaction(db, async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({ ...values, passwordHash, strongPassword: true, referralCode: referrals.randomReferralCode() })
        .returning(userView)
      const { id, username, email } = user!
      await storeToken(tx, 'reset_password', token, { id, email }, 'invitation')
      await enqueueMail(tx, {
        dedupeKey,
        userId: id,
        recipient: email,
        template: 'account_created',
        data: { username },
        sealed,
      })
      await audit(tx, {
        actorId: admin.id,
        action: 'user.create',
        targetType: 'user',
        targetId: id,
        after: values,
        requestId,
      })
      await changed(tx, 'user', { user: id })
      return { ...user!, planName: null }
    })
  for (;;) {
    try {
      return await insert()
    } catch (error) {
      const constraint = violationOf(error)?.constraint ?? ''
      if (constraint === 'users_referral_code') continue
      const found = taken[constraint]
      if (!found) throw error
      const [path, message] = found
      throw new Refusal(409, 'account_exists', message, { issues: [{ path, message }] })
    }
  }
}
