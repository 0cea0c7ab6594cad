// Admin endpoints for payment processors: whether their events are received, the secrets that verify them, and the latest events.
import * as z from 'zod/mini'
import { secondFactorCode } from '#features/accounts/contract.ts'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import { del, get, post, put } from '#kit/endpoint.ts'
import { idParam, instant, rowVersion, singleLine } from '#kit/text.ts'
import { eventOutcomes, processors } from './processor-rules.ts'

const text = z.nullable(z.string())
const eventRow = z.object({
  id: z.int(),
  processor: z.enum(processors),
  eventId: z.string(),
  type: z.string(),
  /** The id at the processor of the object that the event is about, such as an invoice. */
  subject: z.string(),
  receivedAt: instant,
  outcome: z.enum(eventOutcomes),
  reason: text,
})
export type PaymentEvent = z.output<typeof eventRow>
const processor = z.object({
  name: z.enum(processors),
  enabled: z.boolean(),
  /** The webhook URL to enter at the processor. */
  url: z.string(),
  address: z.string(),
  storeId: z.string(),
  keySet: z.boolean(),
  version: rowVersion,
  secrets: z.array(
    z.object({ id: z.string(), ending: z.string(), createdAt: instant, lastUsedAt: z.nullable(instant) }),
  ),
  /** The latest refused request; null if none was refused. */
  refused: z.nullable(z.object({ at: instant, refusal: z.string() })),
  /** The latest events, newest first. */
  events: z.array(eventRow),
})
export type ProcessorState = z.output<typeof processor>
export const listProcessors = get('/api/admin/processors', {
  summary: 'The payment processors, whether their events are received, and the latest events',
  access: 'admin',
  needs: 'settings.read',
  sessionOnly: true,
  dependsOn: ['setting', 'payment'],
  output: z.array(processor),
})

const params = z.object({ processor: z.enum(processors) })
const address = 'Please enter the address, such as https://pay.shop.example'
export const processorForm = z.object({
  enabled: z.boolean(),
  /** BTCPay Server only. */
  address: z.string().check(
    z.overwrite<string>((value) => value.trim().replace(/\/+$/, '')),
    z.maxLength(300, address),
    z.refine((value) => value === '' || (/^https?:\/\/[^\s?#]+$/i.test(value) && URL.canParse(value)), address),
  ),
  storeId: singleLine(0, 100, '').check(
    z.refine((value) => /^[\w-]*$/.test(value), 'Please enter the store ID: letters and digits'),
  ),
  /** The API key; empty keeps the stored one. */
  apiKey: z.string().check(z.maxLength(200, 'Please use at most 200 characters')),
})
export type ProcessorForm = z.output<typeof processorForm>
export const updateProcessor = put('/api/admin/processors/:processor', {
  summary: 'Turn the events of a payment processor on or off, and set where its invoices are read',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  params,
  body: z.extend(processorForm, { version: rowVersion }),
  output: processor,
})
const secret = 'Please enter the signing secret'
export const secretForm = z.object({
  secret: z.string(secret).check(
    z.overwrite<string>((value) => value.trim()),
    z.minLength(8, 'Please enter the signing secret: at least 8 characters'),
    z.maxLength(200, 'Please use at most 200 characters'),
  ),
  currentPassword: z
    .string(missingPasswordMessage)
    .check(z.minLength(1, missingPasswordMessage), z.maxLength(128, missingPasswordMessage)),
  code: secondFactorCode,
})
export const addProcessorSecret = post('/api/admin/processors/:processor/secrets', {
  summary: 'Add a signing secret of a payment processor, with the password; the others stay valid',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  params,
  body: secretForm,
  output: processor,
})
export const removeProcessorSecret = del('/api/admin/processors/:processor/secrets/:secretId', {
  summary: 'Remove a signing secret of a payment processor',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  params: z.object({ processor: z.enum(processors), secretId: z.uuid() }),
  output: processor,
})
export const testBtcpay = post('/api/admin/processors/btcpay/test', {
  summary: 'Test whether the invoices of BTCPay Server can be read; nothing is saved',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  body: z.pick(processorForm, { address: true, storeId: true, apiKey: true }),
  output: z.object({ ok: z.boolean(), message: z.string() }),
})

export const maxEventsToReview = 100
export const listPaymentEvents = get('/api/admin/payment-events', {
  summary: `The newest ${maxEventsToReview} events of payment processors that an administrator has to review`,
  access: 'admin',
  needs: 'payments.read',
  dependsOn: ['payment'],
  output: z.array(eventRow),
})
export const reviewPaymentEvent = post('/api/admin/payment-events/:eventId/review', {
  summary: 'Remove an event of a payment processor from the list; audited',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  params: z.object({ eventId: idParam }),
  output: z.object({ reviewed: z.literal(true) }),
})
