import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { invoices, plans } from '#server/db/tables.ts'
import type { Model } from './model.ts'
import type { Action } from './model-action.ts'
import { amountOf, type Invoice } from './model-invoice.ts'
import { send, type World } from './model-world.ts'

const email = 'buyer@example.org'
export const planOf = (model: Model, pick: number): Model['plans'][number] => model.plans[pick % model.plans.length]!
/** One of the customer's invoices; newer ones are more likely. */
const chosen = (model: Model, pick: number) =>
  model.invoices.at(-1 - Math.floor((pick / 60) ** 2 * model.invoices.length))
/** Creates an action on one of the customer's invoices, which does nothing if there is none. */
const onInvoice =
  (
    path: (invoice: Invoice) => string,
    method: string,
    by: 'customer' | 'admin',
    body: (invoice: Invoice, model: Model, pick: number, world: World) => unknown,
    expected: (model: Model, invoice: Invoice, pick: number) => number,
  ): Action =>
  async (model, { world, customer }, pick) => {
    const invoice = chosen(model, pick)
    if (!invoice) return
    const { client } = by === 'admin' ? world.admin : customer
    const status = await send(client, method, path(invoice), await body(invoice, model, pick, world))
    return [status, expected(model, invoice, pick)]
  }
const decision = (status: 'paid' | 'pending' | 'cancelled', expected: (model: Model, invoice: Invoice) => number) =>
  onInvoice(
    (invoice) => `/api/admin/invoices/${invoice.id}`,
    'PUT',
    'admin',
    () => ({ status }),
    expected,
  )
const versionOf = async ({ id }: Invoice, { db }: World) =>
  (await db.select({ version: invoices.version }).from(invoices).where(eq(invoices.id, id)))[0]!.version
const refundDecision = (approve: boolean) =>
  onInvoice(
    (invoice) => `/api/admin/invoices/${invoice.id}/refund`,
    'PUT',
    'admin',
    (invoice) =>
      approve
        ? { status: 'approved', paymentReference: 'BACK-1', reason: '', expectedAmount: amountOf(invoice) }
        : { status: 'declined', reason: 'Too late' },
    (model, invoice) => model.decideRefund(invoice, approve),
  )

/** Actions about orders, payments, refunds and plan changes. */
export const invoiceActions: Record<string, Action> = {
  order: async (model, { customer }, pick) => {
    const [plan, useCredit] = [planOf(model, pick), pick % 3 > 0]
    return [
      await send(customer.client, 'POST', '/api/create-invoice', { planId: plan.id, email, useCredit }),
      model.order(plan, useCredit),
    ]
  },
  submit: onInvoice(
    () => '/api/submit-payment',
    'POST',
    'customer',
    (invoice) => ({
      planId: invoice.plan.id,
      paymentMethod: amountOf(invoice) === 0 ? null : 'creditcard',
      invoiceNumber: invoice.number,
    }),
    (model, invoice) => model.submit(invoice),
  ),
  'use credit': onInvoice(
    (invoice) => `/api/invoices/${invoice.number}/credit`,
    'PUT',
    'customer',
    (_item, _model, pick) => ({ useCredit: pick % 2 === 0 }),
    (model, invoice, pick) => model.setCredit(invoice, pick % 2 === 0),
  ),
  confirm: decision('paid', (model, invoice) => model.confirm(invoice)),
  reopen: decision('pending', (model, invoice) => model.move(invoice, 'pending')),
  cancel: decision('cancelled', (model, invoice) => model.move(invoice, 'cancelled')),
  reject: onInvoice(
    (invoice) => `/api/admin/invoices/${invoice.id}/rejection`,
    'PUT',
    'admin',
    async (invoice, _model, _pick, world) => ({
      reason: 'We found no payment',
      version: await versionOf(invoice, world),
    }),
    (model, invoice) => model.reject(invoice),
  ),
  'send a payment link': onInvoice(
    (invoice) => `/api/admin/invoices/${invoice.id}/payment-link`,
    'PUT',
    'admin',
    async (invoice, _model, _pick, world) => {
      const version = await versionOf(invoice, world)
      return { paymentLink: `https://pay.example.org/${invoice.id}/${version}`, version }
    },
    (model, invoice) => (invoice.status === 'pending' && invoice.card && !model.isLate(invoice) ? 200 : 409),
  ),
  'confirm several payments': async (model, { world }, pick) => {
    const invoices = model.invoices.slice(-1 - (pick % 3))
    if (invoices.length === 0) return
    const shown = await Promise.all(
      invoices.map(async (invoice) => ({
        invoiceId: invoice.id,
        version: await versionOf(invoice, world),
        expectedAmount: amountOf(invoice),
        acknowledged: true,
      })),
    )
    const response = await world.admin.client.post('/api/admin/invoices/confirm', { invoices: shown })
    const done = ((await response.json()) as { done: boolean }[]).map((each) => each.done)
    expect(done).toEqual(invoices.map((invoice) => model.confirm(invoice) === 200))
    return [response.status, 200]
  },
  'change a price': async (model, { world }, pick) => {
    const plan = planOf(model, pick)
    const [row] = await world.db.select().from(plans).where(eq(plans.id, plan.id))
    const { tier, connections, features, popular, hidden, version } = row!
    plan.price = 1_000 + 137 * pick
    const body = { tier, connections, features, popular, hidden, version, price: plan.price }
    return [await send(world.admin.client, 'PUT', `/api/admin/plans/${plan.id}`, body), 200]
  },
  'request a refund': onInvoice(
    () => '/api/refunds',
    'POST',
    'customer',
    (invoice) => ({ invoiceNumber: invoice.number, reason: 'Not for me' }),
    (model, invoice) => model.requestRefund(invoice),
  ),
  'approve a refund': refundDecision(true),
  'decline a refund': refundDecision(false),
  'change plan': async (model, { customer }, pick) => {
    const plan = planOf(model, pick)
    return [
      await send(customer.client, 'POST', '/api/change-subscription', { planId: plan.id, prorated: true }),
      model.change(plan),
    ]
  },
}
