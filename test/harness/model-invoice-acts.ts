import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { invoices, plans } from '#server/db/tables.ts'
import type { Action } from './model-act.ts'
import type { Book, Item } from './model-book.ts'
import { send, type World } from './model-world.ts'

const email = 'buyer@example.org'
export const planOf = (book: Book, pick: number): Book['plans'][number] => book.plans[pick % book.plans.length]!
/** One of the customer's invoices, sooner a newer one. */
const chosen = (book: Book, pick: number) => book.items.at(-1 - Math.floor((pick / 60) ** 2 * book.items.length))
/** Something about one of the customer's invoices; nothing where there is none. */
const about =
  (
    path: (item: Item) => string,
    method: string,
    by: 'customer' | 'admin',
    body: (item: Item, book: Book, pick: number, world: World) => unknown,
    expected: (book: Book, item: Item, pick: number) => number,
  ): Action =>
  async (book, { world, customer }, pick) => {
    const item = chosen(book, pick)
    if (!item) return
    const { client } = by === 'admin' ? world.admin : customer
    const said = await send(client, method, path(item), await body(item, book, pick, world))
    return [said, expected(book, item, pick)]
  }
const decision = (status: 'paid' | 'pending' | 'cancelled', expected: (book: Book, item: Item) => number) =>
  about(
    (item) => `/api/admin/invoices/${item.id}`,
    'PUT',
    'admin',
    () => ({ status }),
    expected,
  )
const versionOf = async ({ id }: Item, { db }: World) =>
  (await db.select({ version: invoices.version }).from(invoices).where(eq(invoices.id, id)))[0]!.version
const settlement = (approve: boolean) =>
  about(
    (item) => `/api/admin/invoices/${item.id}/refund`,
    'PUT',
    'admin',
    (item, book) =>
      approve
        ? { status: 'approved', paymentReference: 'BACK-1', reason: '', expectedAmount: book.amount(item) }
        : { status: 'declined', reason: 'Too late' },
    (book, item) => book.decideBack(item, approve),
  )

/** Orders, payments, refunds and plan changes. */
export const invoiceActs: Record<string, Action> = {
  order: async (book, { customer }, pick) => {
    const [plan, useCredit] = [planOf(book, pick), pick % 3 > 0]
    return [
      await send(customer.client, 'POST', '/api/create-invoice', { planId: plan.id, email, useCredit }),
      book.order(plan, useCredit),
    ]
  },
  submit: about(
    () => '/api/submit-payment',
    'POST',
    'customer',
    (item, book) => ({
      planId: item.plan.id,
      paymentMethod: book.amount(item) === 0 ? null : 'creditcard',
      invoiceNumber: item.number,
    }),
    (book, item) => book.submit(item),
  ),
  'use credit': about(
    (item) => `/api/invoices/${item.number}/credit`,
    'PUT',
    'customer',
    (_item, _book, pick) => ({ useCredit: pick % 2 === 0 }),
    (book, item, pick) => book.setCredit(item, pick % 2 === 0),
  ),
  confirm: decision('paid', (book, item) => book.confirm(item)),
  reopen: decision('pending', (book, item) => book.move(item, 'pending')),
  cancel: decision('cancelled', (book, item) => book.move(item, 'cancelled')),
  reject: about(
    (item) => `/api/admin/invoices/${item.id}/rejection`,
    'PUT',
    'admin',
    async (item, _book, _pick, world) => ({ reason: 'We found no payment', version: await versionOf(item, world) }),
    (book, item) => book.reject(item),
  ),
  'send a payment link': about(
    (item) => `/api/admin/invoices/${item.id}/payment-link`,
    'PUT',
    'admin',
    async (item, _book, _pick, world) => {
      const version = await versionOf(item, world)
      return { paymentLink: `https://pay.example.org/${item.id}/${version}`, version }
    },
    (book, item) => (item.status === 'pending' && item.card && !book.isLate(item) ? 200 : 409),
  ),
  'confirm several': async (book, { world }, pick) => {
    const items = book.items.slice(-1 - (pick % 3))
    if (items.length === 0) return
    const shown = await Promise.all(
      items.map(async (item) => ({
        invoiceId: item.id,
        version: await versionOf(item, world),
        expectedAmount: book.amount(item),
        acknowledged: true,
      })),
    )
    const answer = await world.admin.client.post('/api/admin/invoices/confirm', { invoices: shown })
    const done = ((await answer.json()) as { done: boolean }[]).map((each) => each.done)
    expect(done).toEqual(items.map((item) => book.confirm(item) === 200))
    return [answer.status, 200]
  },
  'change a price': async (book, { world }, pick) => {
    const plan = planOf(book, pick)
    const [row] = await world.db.select().from(plans).where(eq(plans.id, plan.id))
    const { tier, connections, features, popular, hidden, version } = row!
    plan.price = 1_000 + 137 * pick
    const body = { tier, connections, features, popular, hidden, version, price: plan.price }
    return [await send(world.admin.client, 'PUT', `/api/admin/plans/${plan.id}`, body), 200]
  },
  'ask back': about(
    () => '/api/refunds',
    'POST',
    'customer',
    (item) => ({ invoiceNumber: item.number, reason: 'Not for me' }),
    (book, item) => book.askBack(item),
  ),
  'pay back': settlement(true),
  'decline to pay back': settlement(false),
  'change plan': async (book, { customer }, pick) => {
    const plan = planOf(book, pick)
    return [
      await send(customer.client, 'POST', '/api/change-subscription', { planId: plan.id, prorated: true }),
      book.change(plan),
    ]
  },
}
