import { eq } from 'drizzle-orm'
import { getInvoice } from '#features/billing/contract.ts'
import { getCustomer } from '#features/customers/contract.ts'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import { currentUser, getEmailVerification, listUsers, type User } from '../../contract.ts'
import { takenMessage } from '../../rules.ts'
import { userView } from '../user-view.ts'
import { type Proof, type Request, type Vault, type WithProof, withPassword } from './confirm-password.ts'
import { prepareVerification, getEmailVerification as readVerification } from './create-email-verification.ts'

type Profile = Proof & { fullName: string; email: string }

/**
 * Changes a user's full name and email address. Asks for the password, and for a new address also for a code where a second factor is on. A new
 * address counts as unverified and gets a confirmation link. The old address gets a notice, unless it was never confirmed and its mailbox
 * already got too many mails. Throws like `withPassword`, and 409 on `email` for a taken address. Decisions, Screens.
 */
export async function updateProfile(
  vault: Vault & Pick<AppContext, 'config'>,
  user: SessionUser,
  given: Profile,
  request: Request,
  withProof: WithProof,
): Promise<User> {
  const { email } = given
  const fullName = given.fullName || null
  let wasTaken = async (): Promise<void> => undefined
  try {
    const isNew = user.email !== email
    if (isNew) wasTaken = (await vault.limits.mayBeTaken(request.caller.ip)).wasTaken
    const verify = isNew ? await prepareVerification(vault, request.requestId, email) : undefined
    const tellOld =
      isNew && ((await readVerification(vault.db, user.id)).verified || (await vault.limits.mayWriteTo(user.email)))
    const change = async (tx: Tx, before: User): Promise<User> => {
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
        if (tellOld)
          await enqueueMail(tx, {
            dedupeKey: `email_changed:${requestId}`,
            userId: user.id,
            recipient: before.email,
            template: 'email_changed',
            data,
          })
        await verify?.(tx, after!)
      }
      await audit(tx, {
        actorId: user.id,
        action: 'user.update_profile',
        targetType: 'user',
        targetId: user.id,
        before: {
          ...(isMoved && { email: before.email }),
          ...(before.fullName !== fullName && { fullName: before.fullName }),
        },
        after: { ...(isMoved && { email }), ...(before.fullName !== fullName && { fullName }) },
        requestId: request.requestId,
      })
      await notifyUser(tx, user.id, [currentUser.id, getInvoice.id, getEmailVerification.id])
      await notifyAdmins(tx, [listUsers.id, getCustomer.id])
      return after!
    }
    const prepare = () => change
    return await (isNew
      ? withProof(vault, user, given, request, prepare)
      : withPassword(vault, user, given.currentPassword, request, prepare))
  } catch (error) {
    if (violationOf(error)?.constraint !== 'users_mail') throw error
    await wasTaken()
    throw new Refusal(409, 'account_exists', takenMessage, { issues: [{ path: 'email', message: takenMessage }] })
  }
}
