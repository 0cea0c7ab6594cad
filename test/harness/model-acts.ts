import { and, desc, eq, isNotNull, isNull, ne } from 'drizzle-orm'
import { expect } from 'vitest'
import { runJobs as runLines } from '#features/provisioning/server/worker/run.ts'
import { activations, invoices, lineJobs, plans, reports } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { Book, Item } from './model-book.ts'
import { type Real, runJobs, send, type World } from './model-world.ts'

const hour = 3_600_000
const email = 'buyer@example.org'
export type Does = (book: Book, real: Real, pick: number) => Promise<[said: number, expected: number] | undefined>
const planOf = (book: Book, pick: number) => book.plans[pick % book.plans.length]!
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
  ): Does =>
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

/** Whatever changes something that a customer or the house owns, with the answer the book expects. */
export const does: Record<string, Does> = {
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
  'change the password': async (book, { customer }, pick) => {
    const [currentPassword, newPassword] = [
      pick % 4 ? book.password : 'not the right one',
      `correct horse ${pick} ${book.now}`,
    ]
    const said = await send(customer.client, 'PUT', '/api/account/password', { currentPassword, newPassword })
    if (currentPassword !== book.password) return [said, 403]
    if (newPassword === book.password) return [said, 400]
    book.password = newPassword
    return [said, 200]
  },
  'change the profile': async (book, { customer }, pick) => {
    book.notes.fullName = pick % 2 ? `Ada ${pick}` : null
    const body = { fullName: book.notes.fullName ?? '', email: customer.user.email, currentPassword: book.password }
    return [await send(customer.client, 'PUT', '/api/account/profile', body), 200]
  },
  'make an administrator of them, or not': async (book, { world, customer }, pick) => {
    book.notes.role = pick % 2 ? 'admin' : 'user'
    return [
      await send(world.admin.client, 'PUT', `/api/admin/users/${customer.user.id}/role`, { role: book.notes.role }),
      200,
    ]
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
  grant: async (book, { world, customer }, pick) => {
    const [plan, days] = [pick % 5 === 4 ? null : planOf(book, pick), 1 + (pick % 40)]
    const endDate = plan ? new Date(Date.parse(book.now) + days * 24 * hour).toISOString().slice(0, 10) : ''
    const body = plan
      ? { planId: plan.id, status: 'active', endDate }
      : { planId: null, status: 'none', startDate: '', endDate }
    return [
      await send(world.admin.client, 'PUT', `/api/admin/users/${customer.user.id}/subscription`, body),
      book.grant(plan, days),
    ]
  },
  'undo an edit': async (book, { world, customer }, pick) => {
    const edits = book.time.acts.filter(({ kind }) => kind === 'edit')
    const chosen = pick % Math.max(1, edits.length)
    const rows = await world.db
      .select({ id: activations.id })
      .from(activations)
      .where(
        and(eq(activations.userId, customer.user.id), eq(activations.kind, 'grant'), isNull(activations.reversedAt)),
      )
      .orderBy(activations.id)
    expect(rows).toHaveLength(edits.length)
    if (!rows[chosen]) return
    const said = await send(world.admin.client, 'POST', `/api/admin/users/${customer.user.id}/subscription/undo`, {
      activationId: rows[chosen].id,
    })
    return [said, book.undoEdit(edits[chosen]!)]
  },
  'correct credit': async (book, { world, customer }, pick) => {
    const amount = pick % 2 ? 100 * (pick + 1) : -70 * (pick + 1)
    return [
      await send(world.admin.client, 'POST', `/api/admin/users/${customer.user.id}/credit`, {
        amount,
        reason: 'As agreed',
      }),
      book.adjust(amount),
    ]
  },
  'ask for a trial': async (book, { customer }) => [
    await send(customer.client, 'POST', '/api/trial-requests', {
      device: 'Fire TV',
      message: 'I would like to see it first',
    }),
    book.askTrial(),
  ],
  'decide a trial': async (book, { world }, pick) => {
    const trial = book.trials[pick % Math.max(1, book.trials.length)]
    if (!trial) return
    const status = (['approved', 'denied', 'pending'] as const)[pick % 3]!
    const access = {
      trialUsername: 'guest',
      trialPassword: 'let me in',
      trialServer: 'https://tv.example.org',
      expiryDate: new Date(Date.parse(book.now) + 48 * hour).toISOString(),
    }
    const body = { status, ...(status === 'approved' ? access : { adminNotes: 'Not now' }) }
    return [
      await send(world.admin.client, 'PUT', `/api/admin/trial-requests/${trial.id}`, body),
      book.decideTrial(trial, status),
    ]
  },
  'settle a line': async (_book, { world, customer }) => {
    const { db, log, config } = world.house
    await runLines({ db, log, key: () => secretKey(config), loadConfig: async () => null })
    const [job] = await db
      .select()
      .from(lineJobs)
      .where(and(eq(lineJobs.userId, customer.user.id), ne(lineJobs.state, 'done'), isNotNull(lineJobs.task)))
      .orderBy(desc(lineJobs.id))
    if (!job) return
    return [
      await send(world.admin.client, 'POST', `/api/admin/lines/${job.id}/made`, {
        username: `line-${customer.user.id}`,
        password: 'by-hand',
        server: '',
      }),
      200,
    ]
  },
  report: async (book, { customer }) => {
    book.notes.reports++
    return [
      await send(customer.client, 'POST', '/api/reports', {
        contentType: 'channel',
        contentName: 'Arena One',
        issue: 'buffering',
      }),
      200,
    ]
  },
  'answer a report': async (_book, { world, customer }, pick) => {
    const [report] = await world.db.select().from(reports).where(eq(reports.userId, customer.user.id))
    if (!report) return
    const status = (['reviewing', 'resolved', 'dismissed', 'pending'] as const)[pick % 4]
    return [
      await send(world.admin.client, 'PUT', `/api/admin/reports/${report.id}`, { status, adminNotes: 'Seen' }),
      200,
    ]
  },
  inquire: async (book, { world, customer }) => {
    book.notes.inquiries++
    return [
      await send(world.client(), 'POST', '/api/inquiries', {
        name: 'Someone',
        email: customer.user.email,
        message: 'Do you show the match?',
      }),
      200,
    ]
  },
  watch: async (book, { world, customer }, pick) => {
    book.notes.watched = pick % 2 === 0
    return [
      await send(customer.client, 'PUT', `/api/watchlist/${world.channelId}`, { listed: book.notes.watched }),
      200,
    ]
  },
  'let time pass': async (book, { world }, pick) => {
    await world.pass([1, 20, 24 * 6, 24 * 8, 24 * 20, 24 * 31, 24 * 100][pick % 7]! * hour)
    book.now = world.now()
    if (pick % 4 === 0) return
    await runJobs(world)
    book.tick()
  },
  /** Every connection is cut while something is on its way, and the app starts anew; whoever got no answer asks again. */
  crash: async (book, { world, customer }, pick) => {
    const [plan, useCredit] = [planOf(book, pick), true]
    const ask = () => send(customer.client, 'POST', '/api/create-invoice', { planId: plan.id, email, useCredit })
    const first = ask()
    await world.database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()",
    )
    const answered = await first
    world.restart()
    // A pool finds out about each of its connections by itself; a new process would have none.
    await expect
      .poll(
        () =>
          Promise.all(Array.from({ length: 8 }, () => world.db.execute('select 1'))).then(
            () => 'well',
            () => 'cut',
          ),
        { interval: 1 },
      )
      .toBe('well')
    return [answered === 503 ? await ask() : answered, book.order(plan, useCredit)]
  },
}
