import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { cents, idText, instant, line, shownCents } from '#kit/text.ts'
import { noAmountMessage, noReasonMessage } from './rules.ts'

export const transactionType = z.enum(['referral_bonus', 'admin_adjustment', 'payment', 'refund'])
export const creditTransaction = z.object({
  id: z.int(),
  amount: cents,
  formattedAmount: z.string(),
  description: z.string(),
  type: transactionType,
  relatedInvoiceId: z.nullable(z.int()),
  createdAt: instant,
})
/** A referral bonus that can be spent once the guarantee of the payment it comes from has run out. */
export const pendingBonus = z.object({ amount: cents, formattedAmount: z.string(), availableAt: instant })
export const accountCredit = z.object({
  balance: cents,
  formattedBalance: z.string(),
  transactions: z.array(creditTransaction),
  pending: z.array(pendingBonus),
})
export const referralInfo = z.object({ referralCode: z.string(), shareUrl: z.string(), shareMessage: z.string() })

export const getReferralInfo = get('/api/referrals/my-code', {
  summary: 'Own referral code and share link',
  access: 'member',
  output: referralInfo,
})
export const getAccountCredit = get('/api/account/credit', {
  summary: 'Credit balance and its history',
  access: 'member',
  output: accountCredit,
})

const most = 10_000_000
/** Signed cents: positive gives, negative takes. */
export const creditAdjustment = z.object({
  amount: z.int(noAmountMessage).check(
    z.gte(-most, noAmountMessage),
    z.lte(most, noAmountMessage),
    z.refine((value) => value !== 0, noAmountMessage),
  ),
  /** The customer reads it in the history. */
  reason: line(4, 200, noReasonMessage),
  /** The balance the dialog showed; where it is another one, nothing is booked. */
  expectedBalance: z.optional(shownCents),
})
export const adjustCredit = post('/api/admin/users/:userId/credit', {
  summary: "Add to a user's account credit or take from it",
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ userId: idText }),
  body: creditAdjustment,
  output: accountCredit,
})
