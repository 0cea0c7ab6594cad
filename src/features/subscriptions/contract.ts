import * as z from 'zod/mini'
import { adminUser, subscriptionStatus } from '#features/accounts/contract.ts'
import { noPlanMessage, planId } from '#features/catalog/contract.ts'
import { get, put } from '#kit/endpoint.ts'
import { id, idText, instant } from '#kit/text.ts'
import { noDateMessage } from './rules.ts'

const planDigits = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,9}$/, noPlanMessage)),
  z.transform((digits: string) => Number(digits)),
)
const day = z.iso
  .date({ error: noDateMessage, abort: true })
  .check(z.refine((value) => value >= '2000' && value < '2101', noDateMessage))
const dayOrNone = z.optional(z.nullable(z.union([z.literal(''), day])))

/** A date left out stays as it is; empty or null clears it. */
export const subscriptionGrant = z.object({
  /** Null is "No Plan". */
  planId: z.nullable(z.union([planId, z.pipe(planDigits, planId)], noPlanMessage)),
  status: subscriptionStatus,
  startDate: dayOrNone,
  endDate: dayOrNone,
  /** What the dialog showed; where it is no longer so, nothing is changed and the answer says what is. */
  expected: z.optional(
    z.object({
      planId: z.nullable(id),
      status: subscriptionStatus,
      startDate: z.nullable(instant),
      endDate: z.nullable(instant),
    }),
  ),
})
export type SubscriptionGrant = z.output<typeof subscriptionGrant>

export const updateSubscription = put('/api/admin/users/:userId/subscription', {
  summary: "Set a user's plan, status and dates",
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ userId: idText }),
  body: subscriptionGrant,
  output: adminUser,
})

/** A stretch of paid time on one plan. */
export const paidTime = z.object({
  planId: id,
  planName: z.string(),
  connections: z.int(),
  startsAt: instant,
  endsAt: instant,
})
export type PaidTime = z.output<typeof paidTime>
export const listPaidTime = get('/api/paid-time', {
  summary: 'The time the customer has left: which plan runs from when until when',
  access: 'member',
  output: z.array(paidTime),
})
