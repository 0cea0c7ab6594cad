import * as referrals from '#features/referrals/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { invalid, Refusal } from '#server/errors.ts'
import type { House } from '#server/http.ts'
import { enqueueMail } from '#server/mail.ts'
import type { Caller } from '#server/request.ts'
import { endSession, openSession } from '#server/session.ts'
import type { User } from '../../contract.ts'
import { isReservedName, reservedMessage, takenMessage } from '../../rules.ts'
import { userView } from '../user-view.ts'

export type Registration = { username: string; email: string; password: string; fullName?: string; referralCode?: string }
type Registered = { user: User; referralApplied: boolean; token: string }

/**
 * Creates a customer, the referral claim, the welcome mail and a session, all or nothing. Throws 400 on the field for a
 * reserved name or an unknown referral code, 409 in one sentence for a taken name or address.
 */
export async function register(house: Pick<House, 'db' | 'passwords'>, form: Registration, caller: Caller): Promise<Registered> {
  const { db, passwords } = house
  if (isReservedName(form.username)) invalid('username', reservedMessage, 'reserved_name')
  const referredBy = form.referralCode ? await referrals.referrerOf(db, form.referralCode) : undefined
  if (form.referralCode && referredBy === undefined) invalid('referralCode', 'This referral code does not exist', 'unknown_referral_code')
  const passwordHash = await passwords.hash(form.password)
  return insert(db, { username: form.username, email: form.email, fullName: form.fullName || null, passwordHash, referredBy }, caller)
}

type NewCustomer = { username: string; email: string; fullName: string | null; passwordHash: string; referredBy: number | undefined }

async function insert(db: Db, customer: NewCustomer, caller: Caller): Promise<Registered> {
  try {
    return await inTransaction(db, async (tx) => {
      const [user] = await tx
        .insert(users)
        .values({ ...customer, referralCode: referrals.drawCode() })
        .returning(userView)
      const { id, username, email } = user!
      if (customer.referredBy !== undefined) await referrals.claim(tx, id, customer.referredBy)
      await enqueueMail(tx, { dedupeKey: `welcome:${id}`, userId: id, recipient: email, template: 'welcome', data: { username } })
      await endSession(tx, caller.sessionToken)
      return { user: user!, referralApplied: customer.referredBy !== undefined, token: await openSession(tx, user!, caller) }
    })
  } catch (error) {
    const constraint = violationOf(error)?.constraint
    if (constraint === 'users_referral_code') return insert(db, customer, caller)
    if (constraint !== 'users_name' && constraint !== 'users_mail') throw error
    // The unique indexes decide who was first. Both fields, one sentence: see `takenMessage`.
    const issues = ['username', 'email'].map((path) => ({ path, message: takenMessage }))
    throw new Refusal(409, 'account_exists', takenMessage, { issues })
  }
}
