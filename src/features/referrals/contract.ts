import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { cents, instant } from '#kit/text.ts'

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
/** A referral bonus that can be spent once the money-back guarantee of its payment has ended. */
export const pendingBonus = z.object({ amount: cents, formattedAmount: z.string(), availableAt: instant })
export const accountCredit = z.object({
  balance: cents,
  formattedBalance: z.string(),
  transactions: z.array(creditTransaction),
  pending: z.array(pendingBonus),
})
export const referralInfo = z.object({ referralCode: z.string(), shareUrl: z.string(), shareMessage: z.string() })

export const getReferralInfo = get('/api/referrals/my-code', {
  summary: "The user's referral code and share link",
  access: 'member',
  output: referralInfo,
})
export const getAccountCredit = get('/api/account/credit', {
  summary: "The user's account credit and its history",
  access: 'member',
  dependsOn: ['credit'],
  output: accountCredit,
})
