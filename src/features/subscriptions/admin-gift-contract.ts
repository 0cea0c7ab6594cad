// Admin endpoints for gifts of days: to one customer, and the progress of gifts to many customers.
import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { id, idParam, instant, singleLine } from '#kit/text.ts'
import { subscriptionOutcome } from './admin-contract.ts'

/** The maximum number of days of one gift. */
export const maxDays = 366
export const daysField = z
  .int('Please enter a number of days')
  .check(z.gte(1, 'Please enter at least 1 day'), z.lte(maxDays, `Please enter at most ${maxDays} days`))
export const reasonField = singleLine(1, 200, 'Please enter a reason')

export const giveDaysForm = z.object({
  days: daysField,
  /** Shown to the customer. */
  reason: reasonField,
  /** Whether the customer gets an email. */
  emails: z.boolean(),
})
const userParams = z.object({ userId: idParam })
export const previewGiftOfDays = post('/api/admin/users/:userId/days/preview', {
  summary: 'Preview giving days to a customer',
  access: 'admin',
  needs: 'subscriptions.edit',
  params: userParams,
  body: z.object({ days: daysField }),
  output: subscriptionOutcome,
})
export const giveDays = post('/api/admin/users/:userId/days', {
  summary: 'Give days to a customer, with a reason that is shown to the customer',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params: userParams,
  /** `expectedEnd` is the end of the paid time that was shown. The request is refused if that end has changed. */
  body: z.extend(giveDaysForm, { expectedEnd: z.nullable(instant) }),
  output: z.object({ endDate: z.nullable(instant) }),
})

export const timeGift = z.object({
  id,
  days: z.int(),
  reason: z.string(),
  emails: z.boolean(),
  state: z.enum(['giving', 'given', 'undoing', 'undone']),
  createdAt: instant,
  createdBy: z.string(),
  /** The number of customers by outcome. */
  counts: z.object({ waiting: z.int(), added: z.int(), skipped: z.int(), undone: z.int(), kept: z.int() }),
  /** The first customers who got no days, or who kept their days when the gift was taken back. */
  exceptions: z.array(z.object({ userId: id, username: z.string(), reason: z.string() })),
})
export type TimeGift = z.output<typeof timeGift>

const giftParams = z.object({ giftId: idParam })
export const getTimeGift = get('/api/admin/time-gifts/:giftId', {
  summary: 'The progress of a gift of days',
  access: 'admin',
  needs: 'subscriptions.edit',
  dependsOn: ['time_gift'],
  params: giftParams,
  output: timeGift,
})
export const continueTimeGift = post('/api/admin/time-gifts/:giftId/continue', {
  summary: 'Continue to give the days to customers, or to take them back; does nothing if the gift is finished',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params: giftParams,
  output: timeGift,
})
export const undoTimeGift = post('/api/admin/time-gifts/:giftId/undo', {
  summary: 'Take the days of a gift back; customers with a later change that depends on the days keep them',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params: giftParams,
  output: timeGift,
})
