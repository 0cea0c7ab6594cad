// Admin endpoints of subscriptions: to edit them, and to preview and undo edits.
import * as z from 'zod/mini'
import { adminUser } from '#features/accounts/admin-contract.ts'
import { subscriptionStatus } from '#features/accounts/contract.ts'
import { noPlanMessage, planId } from '#features/catalog/contract.ts'
import { get, post, put } from '#kit/endpoint.ts'
import { cents, id, idParam, instant } from '#kit/text.ts'
import { paidTime } from './contract.ts'
import { noDateMessage } from './rules.ts'

const userParams = z.object({ userId: idParam })
const planDigits = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,9}$/, noPlanMessage)),
  z.transform((digits: string) => Number(digits)),
)
const day = z.iso
  .date({ error: noDateMessage, abort: true })
  .check(z.refine((value) => value >= '2000' && value < '2101', noDateMessage))
const optionalDay = z.optional(z.nullable(z.union([z.literal(''), day])))

/** An omitted date stays unchanged; an empty string or null clears it. */
export const subscriptionGrant = z.object({
  /** Null is "No Plan". */
  planId: z.nullable(z.union([planId, z.pipe(planDigits, planId)], noPlanMessage)),
  status: subscriptionStatus,
  startDate: optionalDay,
  endDate: optionalDay,
  /** The state that the dialog displayed. If it is outdated, the request is refused with the current state. */
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
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params: userParams,
  body: subscriptionGrant,
  output: adminUser,
})

/** The effect of an edit, computed by running it in a transaction that is rolled back. Amounts are in cents. */
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
  /** The amount paid for the remaining time. */
  keptCents: cents,
  /** The amount paid for the time that the edit withdraws, minus the amount paid for the time that it restores. */
  withdrawnCents: cents,
  time: z.array(paidTime),
})
export type SubscriptionOutcome = z.output<typeof subscriptionOutcome>

export const previewSubscription = post('/api/admin/users/:userId/subscription/preview', {
  summary: 'Preview setting plan, status and dates',
  access: 'admin',
  needs: 'subscriptions.edit',
  params: userParams,
  body: subscriptionGrant,
  output: subscriptionOutcome,
})

const editReference = z.object({ activationId: id })
export const previewSubscriptionUndo = get('/api/admin/users/:userId/subscription/undo-preview', {
  summary: 'Preview undoing an edit of the subscription',
  access: 'admin',
  needs: 'subscriptions.edit',
  params: userParams,
  query: z.object({ activationId: idParam }),
  output: subscriptionOutcome,
})
export const undoSubscriptionEdit = post('/api/admin/users/:userId/subscription/undo', {
  summary: 'Undo an edit of the subscription',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params: userParams,
  body: editReference,
  output: adminUser,
})
