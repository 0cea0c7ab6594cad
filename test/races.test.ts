import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { type Embedded, startEmbedded } from '#server/db/embedded.ts'
import { creditNotes, creditTransactions, invoices, mails, refundRequests, trialRequests, users } from '#server/db/tables.ts'
import { type Answer, type HttpPerson, personAt } from './http-person.ts'
import { expectBooksToBalance } from './invariants.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'
import { silentLog } from './silent-log.ts'

// What fifty requests at once may do, asked of two processes on one database.
const admin = { username: 'admin', password: 'races-only-here' }
const env = { ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password, RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' }
const data = dataFolder()
let apps: RunningApp[] = []
let embedded: Embedded
let database: Database
let cashier: HttpPerson
let plans: { id: number; months: number; connections: number }[]

beforeAll(async () => {
  apps = [await runApp({ dataDir: data.path, env })]
  apps.push(await runApp({ dataDir: data.path, env }))
  embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  database = connect(embedded.connection, { log: silentLog, patienceMs: 15_000 })
  cashier = await personAt(at(0), admin)
  plans = (await (await fetch(`${at(0)}/api/plans`)).json()) as typeof plans
}, 90_000)
afterAll(async () => {
  await expectBooksToBalance(database.db)
  for (const app of apps) await app.stop()
  await database.close()
  await embedded.stop()
  data.remove()
}, 60_000)

const at = (index: number): string => apps[index % apps.length]!.url
const plan = (months: number, connections: number) => plans.find((each) => each.months === months && each.connections === connections)!.id
/** Fifty requests at once, spread over both processes. */
const fifty = (send: (url: string, index: number) => Promise<Answer>) => Promise.all(Array.from({ length: 50 }, (_, i) => send(at(i), i)))
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status)
const userNamed = async (name: string) => (await database.db.select().from(users).where(eq(users.username, name)))[0]!

async function draft(buyer: HttpPerson, planId: number): Promise<string> {
  const { body } = await buyer.send(at(0), 'POST', '/api/create-invoice', { planId, email: 'buyer@example.org' })
  return String(body.invoiceNumber)
}
const submit = (buyer: HttpPerson, url: string, planId: number, invoiceNumber: string, confirmationCode = `PAID-${invoiceNumber}`) =>
  buyer.insist(url, 'POST', '/api/submit-payment', { planId, paymentMethod: 'venmo', confirmationCode, invoiceNumber })
async function confirm(invoiceNumber: string, url = at(0)): Promise<Answer> {
  const [row] = await database.db.select({ id: invoices.id }).from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  return cashier.insist(url, 'PUT', `/api/admin/invoices/${row!.id}`, { status: 'paid' })
}
async function subscriber(): Promise<HttpPerson> {
  const buyer = await personAt(at(0))
  const invoiceNumber = await draft(buyer, plan(1, 1))
  await submit(buyer, at(1), plan(1, 1), invoiceNumber)
  expect(await confirm(invoiceNumber)).toMatchObject({ status: 200 })
  return buyer
}

test('one payment is submitted, however often and wherever it is said', async () => {
  const buyer = await personAt(at(0))
  const invoiceNumber = await draft(buyer, plan(3, 2))
  expect(new Set(statuses(await fifty((url) => submit(buyer, url, plan(3, 2), invoiceNumber))))).toEqual(new Set([200]))
  const { id } = await userNamed(buyer.name)
  expect(await database.db.select().from(mails).where(sql`${mails.userId} = ${id} AND ${mails.template} = 'order_received'`)).toHaveLength(1)

  const other = await draft(buyer, plan(6, 1))
  const answers = await fifty((url, i) => submit(buyer, url, plan(6, 1), other, i % 2 ? 'CODE-ODD' : 'CODE-EVEN'))
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(25)
  expect(statuses(answers).filter((status) => status === 409)).toHaveLength(25)
}, 60_000)

test('one change of plan is opened', async () => {
  const buyer = await subscriber()
  const answers = await fifty((url, i) => buyer.insist(url, 'POST', '/api/change-subscription', { planId: plan(i % 4 === 0 ? 12 : 1, 3), prorated: true }))
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1)
  expect(new Set(statuses(answers))).toEqual(new Set([200, 409]))
}, 60_000)

test('one refund is asked for, one decision about it counts, and it pays back once', async () => {
  const buyer = await subscriber()
  const { id } = await userNamed(buyer.name)
  const [invoice] = await database.db.select().from(invoices).where(eq(invoices.userId, id))
  const { invoiceNumber } = invoice!
  const asked = await fifty((url) => buyer.insist(url, 'POST', '/api/refunds', { invoiceNumber, reason: 'It stutters' }))
  expect(statuses(asked).toSorted()).toEqual([200, ...Array(49).fill(409)])
  const approval = { status: 'approved', paymentReference: 'BACK-1', reason: '', expectedAmount: invoice!.amount }
  const decided = await fifty((url, i) =>
    cashier.insist(url, 'PUT', `/api/admin/invoices/${invoice!.id}/refund`, i % 2 ? approval : { status: 'declined', reason: 'Too late' }),
  )
  expect(statuses(decided).toSorted()).toEqual([200, ...Array(49).fill(409)])
  const [request] = await database.db.select().from(refundRequests).where(eq(refundRequests.invoiceId, invoice!.id))
  const isApproved = request!.status === 'approved'
  expect(await database.db.select().from(creditNotes).where(eq(creditNotes.invoiceId, invoice!.id))).toHaveLength(isApproved ? 1 : 0)
  expect((await userNamed(buyer.name)).subscriptionStatus).toBe(isApproved ? 'none' : 'active')
  const told = await database.db.select().from(mails).where(sql`${mails.userId} = ${id} AND ${mails.template} LIKE 'refund_%'`)
  expect(told.map(({ template }) => template).toSorted()).toEqual(['refund_decided', 'refund_requested'])
}, 60_000)

test('one trial is asked for', async () => {
  const buyer = await personAt(at(0))
  const answers = await fifty((url) =>
    buyer.insist(url, 'POST', '/api/trial-requests', { device: 'Fire TV Stick', message: 'I would like to see the picture first' }),
  )
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1)
  const { id } = await userNamed(buyer.name)
  expect(await database.db.select().from(trialRequests).where(eq(trialRequests.userId, id))).toHaveLength(1)
}, 60_000)

test('credit is spent once', async () => {
  const buyer = await personAt(at(0))
  const { id } = await userNamed(buyer.name)
  await database.db.transaction(async (tx) => {
    await tx.insert(creditTransactions).values({ userId: id, amount: 1_000, type: 'admin_adjustment', description: 'Opening balance', createdBy: id })
    await tx.update(users).set({ accountCredit: 1_000 }).where(eq(users.id, id))
  })
  const first = await draft(buyer, plan(1, 2))
  await submit(buyer, at(0), plan(1, 2), first)
  const second = await draft(buyer, plan(3, 2))
  await fifty((url) => buyer.insist(url, 'PUT', `/api/invoices/${second}/credit`, { useCredit: true }))
  await submit(buyer, at(1), plan(3, 2), second)
  await fifty((url, i) => confirm(i % 2 ? first : second, url))
  expect((await userNamed(buyer.name)).accountCredit).toBe(0)
  const spent = await database.db.select().from(creditTransactions).where(sql`${creditTransactions.userId} = ${id} AND ${creditTransactions.type} = 'payment'`)
  expect(spent.map((row) => row.amount)).toEqual([-1_000])
}, 60_000)

test('whoever’s payment is confirmed hears of it on pages at either process, and nobody else does', async () => {
  const buyers = await Promise.all(Array.from({ length: 10 }, (_, i) => personAt(at(i))))
  const bystander = await personAt(at(1))
  const numbers: string[] = []
  for (const buyer of buyers) {
    const invoiceNumber = await draft(buyer, plan(1, 1))
    await submit(buyer, at(0), plan(1, 1), invoiceNumber)
    numbers.push(invoiceNumber)
  }
  const lines = await Promise.all(buyers.flatMap((buyer) => apps.map(({ url }) => buyer.listen(url))))
  const others = await Promise.all(apps.map(({ url }) => bystander.listen(url)))
  const answers = await Promise.all(numbers.flatMap((number) => apps.map(({ url }) => confirm(number, url))))
  expect(new Set(statuses(answers))).toEqual(new Set([200]))
  await expect.poll(() => lines.filter(({ heard }) => heard.includes('GET /api/user')).length, { timeout: 10_000 }).toBe(lines.length)
  expect(others.flatMap(({ heard }) => heard)).toEqual([])
  for (const line of [...lines, ...others]) line.close()
}, 60_000)
