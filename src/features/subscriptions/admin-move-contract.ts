// Admin endpoints that move a subscription to another account.
import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { id, idParam, singleLine } from '#kit/text.ts'
import { subscriptionOutcome } from './admin-contract.ts'

export const moveForm = z.object({
  /** The username or the email address of the other account. */
  to: singleLine(1, 254, 'Please enter a username or an email address'),
  /** Whether both customers get an email. */
  emails: z.boolean(),
})
const params = z.object({ userId: idParam })
export const previewMoveSubscription = post('/api/admin/users/:userId/subscription/move/preview', {
  summary: 'Preview moving the remaining paid time to another account',
  access: 'admin',
  needs: 'subscriptions.edit',
  params,
  body: z.pick(moveForm, { to: true }),
  output: z.object({
    toUserId: id,
    username: z.string(),
    email: z.string(),
    /** The effect on the other account. */
    outcome: subscriptionOutcome,
  }),
})
export const moveSubscription = post('/api/admin/users/:userId/subscription/move', {
  summary: 'Move the remaining paid time to another account; payments stay with the account that made them',
  access: 'admin',
  needs: 'subscriptions.edit',
  limit: 'adminWrite',
  params,
  /** `toUserId` is the account that the preview showed. */
  body: z.extend(moveForm, { toUserId: id }),
  output: z.object({ username: z.string() }),
})
