// What only administrators say about subscriptions: previews of edits, and taking an edit back.
import * as z from 'zod/mini'
import { adminUser, subscriptionStatus } from '#features/accounts/contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { cents, id, idText, instant } from '#kit/text.ts'
import { paidTime, subscriptionGrant } from './contract.ts'

const oneUser = z.object({ userId: idText })
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
  params: oneUser,
  body: subscriptionGrant,
  output: subscriptionOutcome,
})

const oneEdit = z.object({ activationId: id })
export const previewSubscriptionUndo = get('/api/admin/users/:userId/subscription/undo-preview', {
  summary: 'What undoing an edit of the subscription would do',
  access: 'admin',
  params: oneUser,
  query: z.object({ activationId: idText }),
  output: subscriptionOutcome,
})
export const undoSubscriptionEdit = post('/api/admin/users/:userId/subscription/undo', {
  summary: 'Undo an edit of the subscription',
  access: 'admin',
  limit: 'adminWrite',
  params: oneUser,
  body: oneEdit,
  output: adminUser,
})
