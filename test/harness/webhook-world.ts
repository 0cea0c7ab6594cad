// An app that receives events from both payment processors, and functions that send them.
import { eq } from 'drizzle-orm'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { addProcessorSecret, listProcessors, updateProcessor } from '#features/receipts/admin-processor-contract.ts'
import type { Processor } from '#features/receipts/processor-rules.ts'
import { invoices, paymentEvents, payments } from '#server/db/tables.ts'
import { buildApp } from './app.ts'
import { createPlan, password } from './factories.ts'
import { expectInvariants } from './invariants.ts'
import { apiKey, btcpaySignature, fakeBtcpay, storeId, stripeSignature } from './processor-events.ts'

export const stripeSecret = 'whsec_first_secret_of_the_test'
export const btcpaySecret = 'secret-of-the-btcpay-webhook'

type Settings = { enabled?: boolean; address?: string; storeId?: string; apiKey?: string }
export const processorBody = (version: number, changes: Settings) => ({
  ...{ version, enabled: true, address: '', storeId: '', apiKey: '' },
  ...changes,
})

export async function webhookWorld() {
  const app = await buildApp({ connections: 20, config: { btcpayAllowPrivate: true } })
  const admin = await app.signInAdmin()
  const btcpay = await fakeBtcpay()
  const planId = (await createPlan(app.db, { price: 3_000 })).id
  const state = async (name: Processor) =>
    (await admin.client.call(listProcessors, {})).find((processor) => processor.name === name)!
  const save = async (processor: Processor, changes: Settings = {}) =>
    admin.client.call(updateProcessor, {
      params: { processor },
      body: processorBody((await state(processor)).version, changes),
    })
  const addSecret = (processor: Processor, secret: string) =>
    admin.client.call(addProcessorSecret, { params: { processor }, body: { secret, currentPassword: password } })

  /** Sends a body like another server: without the headers that a browser adds. */
  async function deliver(name: Processor, raw: string, headers: Record<string, string> = {}) {
    const response = await app.client().request(`/api/webhooks/${name}`, {
      method: 'POST',
      headers: { origin: null, 'content-type': 'application/json; charset=utf-8', ...headers },
      body: raw,
    })
    return { status: response.status, body: (await response.json()) as { code?: string; received?: true } }
  }
  return {
    ...{ app, admin, btcpay, state, save, addSecret, deliver },
    /** Turns both payment processors on. */
    turnOn: async () => {
      await addSecret('stripe', stripeSecret)
      await addSecret('btcpay', btcpaySecret)
      await save('stripe')
      await save('btcpay', { address: btcpay.url, storeId, apiKey })
    },
    /** Delivers a signed Stripe event. */
    stripe: (event: object, secrets = [stripeSecret], at?: number) => {
      const raw = JSON.stringify(event, null, 2)
      return deliver('stripe', raw, { 'stripe-signature': stripeSignature(raw, secrets, at) })
    },
    fromBtcpay: (event: object, secret = btcpaySecret) => {
      const raw = JSON.stringify(event, null, 2)
      return deliver('btcpay', raw, { 'btcpay-sig': btcpaySignature(raw, secret) })
    },
    /** Creates an order of $30.00 whose payment is submitted. */
    ordered: async () => {
      const { client, user } = await app.signIn()
      const { invoiceNumber } = await client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
      await client.call(submitPayment, {
        body: { planId, paymentMethod: 'creditcard', confirmationCode: '', paymentNote: '', invoiceNumber },
      })
      const [invoice] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
      return { ...invoice!, user }
    },
    statusOf: async (id: number) => (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!.status,
    bookedAs: (reference: string) => app.db.select().from(payments).where(eq(payments.providerReference, reference)),
    eventOf: async (id: string) => (await app.db.select().from(paymentEvents).where(eq(paymentEvents.eventId, id)))[0],
    close: async () => {
      await expectInvariants(app.db)
      await btcpay.close()
      await app.close()
    },
  }
}
export type WebhookWorld = Awaited<ReturnType<typeof webhookWorld>>
