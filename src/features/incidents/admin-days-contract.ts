// Admin endpoints for giving days back to customers after an incident.
import * as z from 'zod/mini'
import { daysField, reasonField, timeGift } from '#features/subscriptions/admin-gift-contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { id, idParam, instant } from '#kit/text.ts'

const params = z.object({ incidentId: idParam })
export const listGivenDays = get('/api/admin/incidents/:incidentId/days', {
  summary: 'The days given back after an incident, and the duration of the incident in days',
  access: 'admin',
  needs: 'subscriptions.edit',
  dependsOn: ['incident', 'time_gift'],
  params,
  output: z.object({
    /** The duration of the incident in days, rounded up; null while it is ongoing. */
    affectedDays: z.nullable(z.int()),
    /** Whether the incident has a case of reports, so that days can be given to the reporters. */
    hasReporters: z.boolean(),
    gifts: z.array(timeGift),
  }),
})

export const giftGroup = z.object({
  /** Which of the customers with paid time during the incident get days: all, those who had one of the plans, or those who reported it. */
  to: z.enum(['all', 'plans', 'reporters'], 'Please choose who gets the days'),
  planIds: z.array(id).check(z.maxLength(200)),
})
export const previewGivenDays = post('/api/admin/incidents/:incidentId/days/preview', {
  summary: 'Preview giving days back to customers after an incident',
  access: 'admin',
  needs: 'subscriptions.edit',
  params,
  body: z.extend(giftGroup, { days: daysField }),
  output: z.object({
    customers: z.int(),
    /** The number of these customers whose subscription has ended. Their days begin now. */
    ended: z.int(),
    /** The number of customers in the group who already got days for this incident. */
    alreadyGiven: z.int(),
    plans: z.array(z.object({ id, name: z.string(), customers: z.int() })),
    /** A few of the customers, with the end of their subscription before and after. */
    examples: z.array(z.object({ id, username: z.string(), endsAt: z.nullable(instant), newEnd: instant })),
  }),
})

export const givenDaysForm = z.extend(giftGroup, {
  days: daysField,
  /** The reason that customers see. */
  reason: reasonField,
  /** Whether each customer gets an email. */
  emails: z.boolean(),
})
export const giveDaysBack = post('/api/admin/incidents/:incidentId/days', {
  summary:
    'Start giving days back to customers after an incident. The gift is continued until all customers have got them',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params,
  /** `expectedCustomers` is the number of customers in the preview. The request is refused if the number has changed. */
  body: z.extend(givenDaysForm, { expectedCustomers: z.int().check(z.gte(0), z.lte(2147483647)) }),
  output: timeGift,
})
