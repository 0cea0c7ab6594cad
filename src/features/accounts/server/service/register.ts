import * as referrals from '#features/referrals/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { invalid, Refusal } from '#server/errors.ts'
import type { AppContext } from '#server/http/route.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { userView } from '#server/session/user-view.ts'
import type { User } from '../../contract.ts'
import { isReservedName, reservedMessage, takenMessage } from '../../rules.ts'
import type { RequestContext } from './confirm-password.ts'
import { prepareVerification, type Verification } from './create-email-verification.ts'
import { refuseGuessablePassword } from './refuse-guessable-password.ts'
import { signIn } from './sign-in.ts'

export type Registration = {
  username: string
  email: string
  password: string
  fullName?: string
  referralCode?: string
}
type Registered = { user: User; referralApplied: boolean; token: string }

/**
 * Creates a customer, the referral claim, the welcome email and a session in one transaction. Throws 400 on the field for a reserved name,
 * an unknown referral code or a guessable password, 409 with the same message for a taken name or address, and 429 after too many such
 * responses to this network.
 */
export async function register(
  ctx: Pick<AppContext, 'config' | 'db' | 'limits' | 'passwords'>,
  form: Registration,
  request: RequestContext,
): Promise<Registered> {
  const { db, passwords } = ctx
  const { wasTaken } = await ctx.limits.mayBeTaken(request.caller.ip)
  if (isReservedName(form.username)) invalid('username', reservedMessage, 'reserved_name')
  const referredBy = form.referralCode ? await referrals.referrerOf(db, form.referralCode) : undefined
  if (form.referralCode && referredBy === undefined)
    invalid('referralCode', 'This referral code does not exist', 'unknown_referral_code')
  const strongPassword = await refuseGuessablePassword(db, form.password, { ...form, role: 'user' }, 'password')
  const passwordHash = await passwords.hash(form.password)
  const mails = {
    verify: await prepareVerification(ctx, request.requestId, form.email),
    welcome: await ctx.limits.mayWriteTo(form.email),
  }
  return insertCustomer(
    db,
    {
      username: form.username,
      email: form.email,
      fullName: form.fullName || null,
      passwordHash,
      strongPassword,
      referredBy,
    },
    mails,
    request,
    wasTaken,
  )
}

type NewCustomer = {
  username: string
  email: string
  fullName: string | null
  passwordHash: string
  strongPassword: boolean
  referredBy: number | undefined
}

/** The emails to send: none if the mailbox has received too many. */
type RegistrationMails = { verify: Verification | undefined; welcome: boolean }

async function insertCustomer(
  db: Db,
  customer: NewCustomer,
  mails: RegistrationMails,
  request: RequestContext,
  wasTaken: () => Promise<void>,
): Promise<Registered> {
  try {
    return await inTransaction(db, async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({ ...customer, referralCode: referrals.randomReferralCode() })
        .returning(userView)
      const { id, username, email } = user!
      if (customer.referredBy !== undefined) await referrals.recordReferrer(tx, id, customer.referredBy)
      if (mails.welcome)
        await enqueueMail(tx, {
          dedupeKey: `welcome:${id}`,
          userId: id,
          recipient: email,
          template: 'welcome',
          data: { username },
        })
      await mails.verify?.(tx, user!)
      await changed(tx, 'user', { user: id })
      const token = await signIn(tx, user!, request, { newLoginMail: false })
      return { user: user!, referralApplied: customer.referredBy !== undefined, token }
    })
  } catch (error) {
    const constraint = violationOf(error)?.constraint
    if (constraint === 'users_referral_code') return insertCustomer(db, customer, mails, request, wasTaken)
    if (constraint !== 'users_name' && constraint !== 'users_mail') throw error
    await wasTaken()
    // The unique indexes decide which request was first. Both fields get the same message: see `takenMessage`.
    const issues = ['username', 'email'].map((path) => ({ path, message: takenMessage }))
    throw new Refusal(409, 'account_exists', takenMessage, { issues })
  }
}
