import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { idParam, shownCents, singleLine } from '#kit/text.ts'
import { accountCredit } from './contract.ts'
import { invalidAmountMessage, shortReasonMessage } from './rules.ts'

const maxAdjustment = 10_000_000
/** `amount` is in signed cents: positive adds credit, negative removes it. */
export const creditAdjustment = z.object({
  amount: z.int(invalidAmountMessage).check(
    z.gte(-maxAdjustment, invalidAmountMessage),
    z.lte(maxAdjustment, invalidAmountMessage),
    z.refine((value) => value !== 0, invalidAmountMessage),
  ),
  /** Shown to the customer in the credit history. */
  reason: singleLine(4, 200, shortReasonMessage),
  /** The balance that the dialog displayed. If the current balance is different, nothing is booked. */
  expectedBalance: z.optional(shownCents),
})
export const adjustCredit = post('/api/admin/users/:userId/credit', {
  summary: 'Add or remove account credit of a user',
  access: 'admin',
  needs: 'credit.edit',
  limit: 'adminWrite',
  params: z.object({ userId: idParam }),
  body: creditAdjustment,
  output: accountCredit,
})
