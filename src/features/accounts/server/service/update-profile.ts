import { eq } from 'drizzle-orm'
import { getInvoice } from '#features/billing/contract.ts'
import { getCustomer } from '#features/customers/contract.ts'
import { audit } from '#server/audit.ts'
import { violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { House } from '#server/http.ts'
import { enqueueMail } from '#server/mail.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import type { SessionUser } from '#server/session.ts'
import { currentUser, getEmailVerification, listUsers, type User } from '../../contract.ts'
import { takenMessage } from '../../rules.ts'
import { userView } from '../user-view.ts'
import { type Request, type Vault, withPassword } from './confirm-password.ts'
import { prepareVerification } from './create-email-verification.ts'

type Profile = { fullName: string; email: string; currentPassword: string }

/**
 * Changes full name and e-mail address of somebody who gives their password. Another address counts as unverified and is
 * asked to be confirmed; the old one is told. Throws like `withPassword`, and 409 on `email` for a taken address. Decisions, Screens.
 */
export async function updateProfile(vault: Vault & Pick<House, 'config'>, user: SessionUser, given: Profile, request: Request): Promise<User> {
  const { email } = given
  const fullName = given.fullName || null
  try {
    const verify = await prepareVerification(vault, request.requestId)
    return await withPassword(vault, user, given.currentPassword, request, () => async (tx, before) => {
      const isMoved = before.email !== email
      if (!isMoved && before.fullName === fullName) return before
      const [after] = await tx
        .update(users)
        .set({ fullName, email, ...(isMoved && { emailVerifiedAt: null }) })
        .where(eq(users.id, user.id))
        .returning(userView)
      if (isMoved) {
        const { requestId } = request
        const data = { username: before.username, newEmail: email }
        await enqueueMail(tx, { dedupeKey: `email_changed:${requestId}`, userId: user.id, recipient: before.email, template: 'email_changed', data })
        await verify(tx, after!)
      }
      await audit(tx, {
        actorId: user.id,
        action: 'user.update_profile',
        targetType: 'user',
        targetId: user.id,
        before: { ...(isMoved && { email: before.email }), ...(before.fullName !== fullName && { fullName: before.fullName }) },
        after: { ...(isMoved && { email }), ...(before.fullName !== fullName && { fullName }) },
        requestId: request.requestId,
      })
      await notifyUser(tx, user.id, [currentUser.id, getInvoice.id, getEmailVerification.id])
      await notifyAdmins(tx, [listUsers.id, getCustomer.id])
      return after!
    })
  } catch (error) {
    if (violationOf(error)?.constraint !== 'users_mail') throw error
    throw new Refusal(409, 'account_exists', takenMessage, { issues: [{ path: 'email', message: takenMessage }] })
  }
}
