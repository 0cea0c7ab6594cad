// Admin endpoints for webhooks, which send notices to the staff. Only owners can manage webhooks.
import * as z from 'zod/mini'
import { del, get, post, put } from '#kit/endpoint.ts'
import { idParam, instant, rowVersion, singleLine } from '#kit/text.ts'
import { noticeKinds, webhookTypes } from './rules.ts'

const owners = { access: 'admin', needs: 'staff.manage' } as const
const write = { ...owners, limit: 'adminWrite' } as const

const webhook = z.object({
  id: z.string(),
  type: z.enum(webhookTypes),
  name: z.string(),
  /** Where notices are sent, without credentials: the host, or the chat. */
  destination: z.string(),
  /** The id of the Telegram chat; empty for other types. */
  chatId: z.string(),
  kinds: z.array(z.string()),
  pausedAt: z.nullable(instant),
  pauseReason: z.nullable(z.enum(['owner', 'failures', 'gone'])),
  /** The time since which all attempts have failed; null after a successful one. */
  failingSince: z.nullable(instant),
  /** The number of notices waiting to be sent. */
  waiting: z.int(),
  /** The time at which the current secret was created; null for types without a secret. */
  secretSince: z.nullable(instant),
  /** The time at which the last of the earlier secrets expires; null if there is none. */
  oldSecretUntil: z.nullable(instant),
  version: rowVersion,
})
export type WebhookRow = z.output<typeof webhook>

export const listWebhooks = get('/api/admin/webhooks', {
  summary: 'The webhooks that get staff notices',
  ...owners,
  dependsOn: ['webhook'],
  output: z.array(webhook),
})

const addressMessage = 'Please enter an address that begins with https://'
const optionalLine = (max: number, pattern: RegExp, message: string) =>
  z.string(message).check(
    z.overwrite<string>((value) => value.trim()),
    z.maxLength(max, message),
    z.refine((value) => value === '' || pattern.test(value), message),
  )
const fields = {
  name: singleLine(2, 60, 'Please enter a name of at least 2 characters'),
  kinds: z
    .array(z.enum(noticeKinds), 'Please select at least one notice')
    .check(z.minLength(1, 'Please select at least one notice'), z.maxLength(noticeKinds.length)),
  /** For signed webhooks and Discord. Empty keeps the stored address. */
  address: optionalLine(500, /^https?:\/\/[!-~]+$/i, addressMessage).check(
    z.refine((value) => value === '' || URL.canParse(value), addressMessage),
    z.refine(
      (value) => !/^[^/]*\/\/[^/?#]*@|#/.test(value),
      'Please use an address without a username, a password or a fragment (#)',
    ),
  ),
  /** For Telegram. Empty keeps the stored token. */
  token: optionalLine(
    100,
    /^\d{3,20}:[\w-]{20,80}$/,
    'Please enter the token that @BotFather shows, such as 123456:ABC-DEF…',
  ),
  chatId: optionalLine(
    40,
    /^(-?\d{1,20}|@\w{4,32})$/,
    'Please enter the id of the chat, such as -1001234567890, or @channel',
  ),
}
export const newWebhook = z.object({ type: z.enum(webhookTypes), ...fields })
export const webhookEdit = z.object({ ...fields, version: rowVersion })
export type WebhookForm = z.output<typeof newWebhook>

/** `secret`: returned only here; null for types without a secret. */
const withSecret = z.object({ webhook, secret: z.nullable(z.string()) })
const params = z.object({ webhookId: z.uuid() })

export const createWebhook = post('/api/admin/webhooks', {
  summary: 'Add a webhook; the response contains its signing secret',
  ...write,
  body: newWebhook,
  output: withSecret,
})
export const updateWebhook = put('/api/admin/webhooks/:webhookId', {
  summary: 'Change a webhook; an empty address or token keeps the stored one',
  ...write,
  params,
  body: webhookEdit,
  output: webhook,
})
export const deleteWebhook = del('/api/admin/webhooks/:webhookId', {
  summary: 'Delete a webhook with its deliveries',
  ...write,
  params,
  query: z.object({ version: idParam }),
  output: z.object({ deleted: z.literal(true) }),
})
export const pauseWebhook = post('/api/admin/webhooks/:webhookId/pause', {
  summary: 'Pause or resume a webhook; while it is paused, no notices are queued or sent',
  ...write,
  params,
  body: z.object({ paused: z.boolean(), version: rowVersion }),
  output: webhook,
})
export const rotateSecret = post('/api/admin/webhooks/:webhookId/secret', {
  summary: 'Replace the signing secret; the previous one also signs for 24 hours',
  ...write,
  params,
  body: z.object({ version: rowVersion }),
  output: withSecret,
})

const delivery = z.object({
  id: z.int(),
  messageId: z.string(),
  kind: z.string(),
  subjectId: z.nullable(z.int()),
  status: z.enum(['queued', 'sent', 'failed']),
  attempts: z.int(),
  createdAt: instant,
  attemptedAt: z.nullable(instant),
  /** The time of the next attempt; null if there will be none. */
  dueAt: z.nullable(instant),
  responseStatus: z.nullable(z.int()),
  reason: z.nullable(z.string()),
})
export type Delivery = z.output<typeof delivery>

export const testWebhook = post('/api/admin/webhooks/:webhookId/test', {
  summary: 'Send a test message, without retries, and return its outcome',
  ...write,
  params,
  output: delivery,
})
export const shownDeliveries = 50
export const listDeliveries = get('/api/admin/webhooks/:webhookId/deliveries', {
  summary: `The newest ${shownDeliveries} deliveries of a webhook; empty for an unknown webhook`,
  ...owners,
  dependsOn: ['webhook'],
  params,
  output: z.array(delivery),
})
