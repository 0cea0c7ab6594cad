import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { idText, shownCents, singleLine } from '#kit/text.ts'
import { accountCredit } from './contract.ts'
import { noAmountMessage, noReasonMessage } from './rules.ts'

const maxAdjustment = 10_000_000
/** `amount` is in signed cents: positive adds credit, negative removes it. */
export const creditAdjustment = z.object({
  amount: z.int(noAmountMessage).check(
    z.gte(-maxAdjustment, noAmountMessage),
    z.lte(maxAdjustment, noAmountMessage),
    z.refine((value) => value !== 0, noAmountMessage),
  ),
  /** Shown to the customer in the credit history. */
  reason: singleLine(4, 200, noReasonMessage),
  /** The balance that the dialog displayed. If it differs from the current one, nothing is booked. */
  expectedBalance: z.optional(shownCents),
})
export const adjustCredit = post('/api/admin/users/:userId/credit', {
  summary: "Add to a user's account credit or take from it",
  access: 'admin',
  needs: 'credit.edit',
  limit: 'adminWrite',
  params: z.object({ userId: idText }),
  body: creditAdjustment,
  output: accountCredit,
})
