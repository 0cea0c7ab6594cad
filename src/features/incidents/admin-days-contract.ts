// Admin endpoints of days given back to customers after an incident.
import * as z from 'zod/mini'
import { daysField, reasonField, timeGift } from '#features/subscriptions/admin-gift-contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { id, idText, instant } from '#kit/text.ts'

const params = z.object({ incidentId: idText })
export const listGivenDays = get('/api/admin/incidents/:incidentId/days', {
  summary: 'The days given back after an incident, and how many days it affected',
  access: 'admin',
  needs: 'subscriptions.edit',
  dependsOn: ['incident', 'time_gift'],
  params,
  output: z.object({
    /** The number of days that the incident affected, rounded up; null while it is ongoing. */
    affectedDays: z.nullable(z.int()),
    /** Whether customers reported it in a case. */
    hasReporters: z.boolean(),
    gifts: z.array(timeGift),
  }),
})

export const giftGroup = z.object({
  /** Customers with paid time during the incident: all, those on the plans, or those who reported it. */
  to: z.enum(['all', 'plans', 'reporters'], 'Please choose who gets them'),
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
    /** Of these, customers whose time has ended: their days begin now. */
    ended: z.int(),
    /** Customers of the group who already got days for this incident. */
    alreadyGiven: z.int(),
    plans: z.array(z.object({ id, name: z.string(), customers: z.int() })),
    /** A few customers with their end before and after. */
    examples: z.array(z.object({ id, username: z.string(), endsAt: z.nullable(instant), newEnd: instant })),
  }),
})

export const givenDaysForm = z.extend(giftGroup, {
  days: daysField,
  /** Shown to customers. */
  reason: reasonField,
  /** Each customer gets an email. */
  emails: z.boolean(),
})
export const giveDaysBack = post('/api/admin/incidents/:incidentId/days', {
  summary: 'Give days back to customers after an incident; the gift is continued until all have them',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params,
  /** The number of customers that the preview showed; the request is refused if it has changed. */
  body: z.extend(givenDaysForm, { expectedCustomers: z.int().check(z.gte(0), z.lte(2147483647)) }),
  output: timeGift,
})
