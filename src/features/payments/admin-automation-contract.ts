// Admin endpoints for automatic confirmation: its mode, its limits, and how often administrators' decisions agree with the rule.
import * as z from 'zod/mini'
import { secondFactorCode } from '#features/accounts/contract.ts'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import { get, put } from '#kit/endpoint.ts'
import { cents, instant, rowVersion } from '#kit/text.ts'
import { automationModes, provableRails } from './automation-rules.ts'

const whole = (least: number, most: number, message: string) =>
  z.int(message).check(z.gte(least, message), z.lte(most, message))
const rail = z.enum(provableRails)
/** The limits of automatic confirmation. Amounts are in cents, and days are UTC days. */
export const automationLimits = z.object({
  rails: z.array(rail).check(z.maxLength(provableRails.length)),
  maxCents: whole(1, 100_000_000, 'Please enter an amount from $0.01 to $1,000,000.00'),
  perDay: whole(1, 100_000, 'Please enter a number from 1 to 100000'),
  perDayCents: whole(1, 1_000_000_000, 'Please enter an amount from $0.01 to $10,000,000.00'),
  perPayerDay: whole(1, 100, 'Please enter a number from 1 to 100'),
  perCustomerDay: whole(1, 100, 'Please enter a number from 1 to 100'),
})
export const automation = z.extend(automationLimits, {
  mode: z.enum(automationModes),
  /** When the current mode began. `changedBy` is who set it, and `reason` is why it returned to shadow mode automatically. */
  since: instant,
  changedBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  version: rowVersion,
  /**
   * The number of payments since shadow mode began that the rule would have confirmed and an administrator decided in the same way (`agreed`) or differently
   * (`differed`).
   */
  agreed: z.int(),
  differed: z.int(),
  confirmedToday: z.object({ count: z.int(), cents }),
})
export type Automation = z.output<typeof automation>

export const getAutomation = get('/api/admin/payment-automation', {
  summary: 'The mode of automatic confirmation, its limits, and how often decisions of administrators agree with it',
  access: 'admin',
  needs: 'payments.read',
  dependsOn: ['payment'],
  output: automation,
})
export const automationChange = z.extend(automationLimits, {
  mode: z.enum(automationModes),
  version: rowVersion,
  /** Required if automatic confirmation is on after the change. With two-step verification, `code` is required as well. */
  currentPassword: z.optional(z.string().check(z.maxLength(128, missingPasswordMessage))),
  code: secondFactorCode,
})
export const updateAutomation = put('/api/admin/payment-automation', {
  summary: 'Set automatic confirmation to off, shadow mode or on, and change its limits',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  body: automationChange,
  output: automation,
})
