// What only administrators say about subscriptions: previews of edits, and taking an edit back.
import * as z from 'zod/mini'
import { adminUser, subscriptionStatus } from '#features/accounts/contract.ts'
import { noPlanMessage, planId } from '#features/catalog/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { cents, id, idText, instant } from '#kit/text.ts'
import { paidTime } from './contract.ts'
import { noDateMessage } from './rules.ts'

const userParams = z.object({ userId: idText })
const planDigits = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,9}$/, noPlanMessage)),
  z.transform((digits: string) => Number(digits)),
)
const day = z.iso
  .date({ error: noDateMessage, abort: true })
  .check(z.refine((value) => value >= '2000' && value < '2101', noDateMessage))
const optionalDay = z.optional(z.nullable(z.union([z.literal(''), day])))

/** A date left out stays as it is; empty or null clears it. */
export const subscriptionGrant = z.object({
  /** Null is "No Plan". */
  planId: z.nullable(z.union([planId, z.pipe(planDigits, planId)], noPlanMessage)),
  status: subscriptionStatus,
  startDate: optionalDay,
  endDate: optionalDay,
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
  params: userParams,
  body: subscriptionGrant,
  output: adminUser,
})

/** What an edit would do now: it was made and rolled back, by the code that makes it. Amounts are cents. */
export const subscriptionOutcome = z.object({
  refusal: z.nullable(z.object({ code: z.string(), message: z.string() })),
  after: z.nullable(
    z.object({
      planId: z.nullable(id),
      status: subscriptionStatus,
      startDate: z.nullable(instant),
      endDate: z.nullable(instant),
      maxConnections: z.nullable(z.int()),
    }),
  ),
  addedDays: z.int(),
  removedDays: z.int(),
  /** Paid for the time that is left afterwards. */
  keptCents: cents,
  /** Paid for time that is taken away, less what is given back. */
  withdrawnCents: cents,
  time: z.array(paidTime),
})
export type SubscriptionOutcome = z.output<typeof subscriptionOutcome>

export const previewSubscription = post('/api/admin/users/:userId/subscription/preview', {
  summary: 'What setting plan, status and dates would do',
  access: 'admin',
  params: userParams,
  body: subscriptionGrant,
  output: subscriptionOutcome,
})

const editReference = z.object({ activationId: id })
export const previewSubscriptionUndo = get('/api/admin/users/:userId/subscription/undo-preview', {
  summary: 'What undoing an edit of the subscription would do',
  access: 'admin',
  params: userParams,
  query: z.object({ activationId: idText }),
  output: subscriptionOutcome,
})
export const undoSubscriptionEdit = post('/api/admin/users/:userId/subscription/undo', {
  summary: 'Undo an edit of the subscription',
  access: 'admin',
  limit: 'adminWrite',
  params: userParams,
  body: editReference,
  output: adminUser,
})
