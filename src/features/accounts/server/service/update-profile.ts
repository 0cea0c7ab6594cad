import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { SessionUser } from '#server/session/session.ts'
import { userView } from '#server/session/user-view.ts'
import type { User } from '../../contract.ts'
import { takenMessage } from '../../rules.ts'
import {
  type AccountContext,
  type Proof,
  type RequestContext,
  type WithProof,
  withPassword,
} from './confirm-password.ts'
import { prepareVerification } from './create-email-verification.ts'

type Profile = Proof & { fullName: string; email: string }

/**
 * Changes a user's full name and email address. Requires the password, and for a new address also a code where two-step verification is on. A new
 * address is unverified and gets a confirmation link. The old address is notified, unless it was never confirmed and its mailbox has received too
 * many emails. Throws like `withPassword`, and 409 on `email` for a taken address.
 */
export async function updateProfile(
  ctx: AccountContext & Pick<AppContext, 'config'>,
  user: SessionUser,
  input: Profile,
  request: RequestContext,
  withProof: WithProof,
): Promise<User> {
  const { email } = input
  const fullName = input.fullName || null
  let wasTaken = async (): Promise<void> => undefined
  try {
    const isNewEmail = user.email !== email
    if (isNewEmail) wasTaken = (await ctx.limits.mayBeTaken(request.caller.ip)).wasTaken
    const verify = isNewEmail ? await prepareVerification(ctx, request.requestId, email) : undefined
    const notifiesOldAddress = isNewEmail && (user.emailVerified || (await ctx.limits.mayWriteTo(user.email)))
    const change = async (tx: Tx, before: User): Promise<User> => {
      const emailChanged = before.email !== email
      if (!emailChanged && before.fullName === fullName) return before
      const [after] = await tx
        .update(users)
        .set({ fullName, email, ...(emailChanged && { emailVerifiedAt: null }) })
        .where(eq(users.id, user.id))
        .returning(userView)
      if (emailChanged) {
        const { requestId } = request
        const data = { username: before.username, newEmail: email }
        if (notifiesOldAddress)
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
          ...(emailChanged && { email: before.email }),
          ...(before.fullName !== fullName && { fullName: before.fullName }),
        },
        after: { ...(emailChanged && { email }), ...(before.fullName !== fullName && { fullName }) },
        requestId: request.requestId,
      })
      await changed(tx, 'user', { user: user.id })
      return after!
    }
    const prepare = () => change
    return await (isNewEmail
      ? withProof(ctx, user, input, request, prepare)
      : withPassword(ctx, user, input.currentPassword, request, prepare))
  } catch (error) {
    if (violationOf(error)?.constraint !== 'users_mail') throw error
    await wasTaken()
    throw new Refusal(409, 'account_exists', takenMessage, { issues: [{ path: 'email', message: takenMessage }] })
  }
}
