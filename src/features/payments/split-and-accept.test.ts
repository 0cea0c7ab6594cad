import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoice, getInvoice, submitPayment } from '#features/billing/contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { auditLog, invoiceLines, invoices } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { decidePayment, getPayment, type PaymentDecision, previewPayment, undoPayment } from './admin-contract.ts'
import { recordPayment } from './admin-record-contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 3_000 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

async function ordered(customer: SignedIn) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, {
    body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
  })
  return invoiceOf(invoiceNumber)
}
const invoiceOf = async (invoiceNumber: string) =>
  (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
const itemsOf = (invoiceId: number) =>
  app.db
    .select({ kind: invoiceLines.kind, amount: invoiceLines.amount })
    .from(invoiceLines)
    .where(eq(invoiceLines.invoiceId, invoiceId))
    .orderBy(invoiceLines.position)
const record = (amount: number, note: string) =>
  admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'cashapp', amount, note, payerName: 'Dana Whitfield', payerHandle: '' },
      ...{ paidAt: new Date().toISOString(), providerReference: '' },
    },
  })
const decide = (row: { id: number; version: number }, decision: Omit<PaymentDecision, 'version'>) =>
  admin.client.call(decidePayment, { params: { paymentId: row.id }, body: { version: row.version, ...decision } })
const preview = (row: { id: number; version: number }, decision: Omit<PaymentDecision, 'version'>) =>
  admin.client.call(previewPayment, { params: { paymentId: row.id }, body: { version: row.version, ...decision } })
const undo = (row: { id: number; version: number }) =>
  admin.client.call(undoPayment, { params: { paymentId: row.id }, body: { version: row.version } })
async function acceptUpTo(acceptedCents: number) {
  const params = { section: 'payment-desk' as const }
  const { version, value } = await admin.client.call(getSetting, { params })
  await admin.client.call(updateSetting, { params, body: { version, value: { ...value, acceptedCents } } })
}

test('a short payment can be accepted only up to the configured amount, with a reason, and for one invoice', async () => {
  const customer = await app.signIn()
  const [invoice, other] = [await ordered(customer), await ordered(customer)]
  const row = await record(2_990, invoice.invoiceNumber)
  const accept = { action: 'confirm' as const, invoiceIds: [invoice.id], short: 'accept' as const }
  const reason = 'The app took a fee'
  await expect(decide(row, { ...accept, reason })).rejects.toMatchObject({ status: 409, code: 'too_short' })
  await acceptUpTo(10)
  await expect(decide(row, accept)).rejects.toMatchObject({ status: 400 })
  const both = [invoice.id, other.id]
  await expect(decide(row, { ...accept, reason, invoiceIds: both })).rejects.toMatchObject({ code: 'no_invoice' })
  const shorter = await record(2_989, invoice.invoiceNumber)
  await expect(decide(shorter, { ...accept, reason })).rejects.toMatchObject({ code: 'too_short' })
  const whole = await record(3_000, invoice.invoiceNumber)
  await expect(decide(whole, { ...accept, reason })).rejects.toMatchObject({ code: 'not_short' })
  expect(await itemsOf(invoice.id)).toEqual([{ kind: 'plan', amount: 3_000 }])
})

test('an accepted difference becomes an item of the invoice, and undoing it restores the invoice', async () => {
  await acceptUpTo(10)
  const customer = await app.signIn()
  const invoice = await ordered(customer)
  const row = await record(2_990, invoice.invoiceNumber)
  const shown = await admin.client.call(getPayment, { params: { paymentId: row.id }, query: {} })
  expect(shown).toMatchObject({ kind: 'part', acceptedCents: 10 })
  const accept = {
    action: 'confirm' as const,
    short: 'accept' as const,
    invoiceIds: [invoice.id],
    reason: 'The app took a fee',
  }
  expect(await preview(row, accept)).toMatchObject({
    refusal: null,
    invoices: [{ invoiceNumber: invoice.invoiceNumber, isPaid: true }],
  })
  expect(await invoiceOf(invoice.invoiceNumber)).toEqual(invoice)
  const done = await decide(row, accept)
  const items = [
    { kind: 'plan', amount: 3_000 },
    { kind: 'adjustment', amount: -10 },
  ]
  expect(await invoiceOf(invoice.invoiceNumber)).toMatchObject({ status: 'paid', amount: 2_990 })
  expect(await itemsOf(invoice.id)).toEqual(items)
  const own = await customer.client.call(getInvoice, { params: { invoiceNumber: invoice.invoiceNumber } })
  expect(own.lines.map(({ kind, amount }) => ({ kind, amount }))).toEqual(items)
  const [entry] = await app.db
    .select({ after: auditLog.after })
    .from(auditLog)
    .where(sql`${auditLog.action} = 'payment.confirm' and ${auditLog.targetId} = ${String(row.id)}`)
  expect(entry?.after).toMatchObject({ short: 'accept', reason: 'The app took a fee' })
  await undo(done)
  const { version: _, ...restored } = await invoiceOf(invoice.invoiceNumber)
  const { version: _before, ...original } = invoice
  expect(restored).toEqual(original)
  expect(await itemsOf(invoice.id)).toEqual([{ kind: 'plan', amount: 3_000 }])
})

test('the missing amount can be taken from the account credit if that is enough, and undoing it restores both', async () => {
  const customer = await app.signIn({ credit: 600 })
  const invoice = await ordered(customer)
  expect(invoice.amount).toBe(2_400)
  const cover = { action: 'confirm' as const, short: 'credit' as const, invoiceIds: [invoice.id] }
  const spent = await record(2_399, invoice.invoiceNumber)
  await expect(decide(spent, cover)).rejects.toMatchObject({ status: 409, code: 'too_short' })
  await decide(spent, { action: 'not_ours' })
  const rich = await app.signIn({ credit: 5_000 })
  const { invoiceNumber } = await rich.client.call(createInvoice, {
    body: { planId, email: 'buyer@example.org', useCredit: false },
  })
  await rich.client.call(submitPayment, {
    body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
  })
  const owed = await invoiceOf(invoiceNumber)
  const row = await record(2_100, invoiceNumber)
  const shown = await admin.client.call(getPayment, { params: { paymentId: row.id }, query: {} })
  expect(shown.candidates[0]).toMatchObject({ freeCredit: 5_000, due: 3_000 })
  const covering = { ...cover, invoiceIds: [owed.id] }
  const balance = async () => (await rich.client.call(getAccountCredit, {})).balance
  expect(await preview(row, covering)).toMatchObject({ refusal: null, bookings: [{ amount: -900 }] })
  expect(await balance()).toBe(5_000)
  const done = await decide(row, covering)
  expect(await invoiceOf(invoiceNumber)).toMatchObject({ status: 'paid', amount: 2_100 })
  expect(await itemsOf(owed.id)).toEqual([
    { kind: 'plan', amount: 3_000 },
    { kind: 'credit', amount: -900 },
  ])
  expect(await balance()).toBe(4_100)
  await undo(done)
  expect(await balance()).toBe(5_000)
  expect(await itemsOf(owed.id)).toEqual([{ kind: 'plan', amount: 3_000 }])
  const whole = await record(3_000, invoiceNumber)
  await expect(decide(whole, covering)).rejects.toMatchObject({ code: 'not_short' })
})

test('a second payment of a paid invoice can be used for another open invoice of the customer', async () => {
  const customer = await app.signIn()
  const paid = await ordered(customer)
  await decide(await record(3_000, paid.invoiceNumber), { action: 'confirm', invoiceIds: [paid.id] })
  const again = await record(3_000, paid.invoiceNumber)
  const detail = () => admin.client.call(getPayment, { params: { paymentId: again.id }, query: {} })
  expect(await detail()).toMatchObject({ kind: 'double', candidates: [{ invoiceId: paid.id, next: null }] })
  const open = await ordered(customer)
  await ordered(await app.signIn())
  const [first] = (await detail()).candidates
  expect(first).toMatchObject({ invoiceId: paid.id, next: { invoiceId: open.id, due: 3_000 } })
  expect(await decide(again, { action: 'confirm', invoiceIds: [open.id] })).toMatchObject({ status: 'done' })
})

test('the evidence says that the note names the order, even if other evidence speaks against the payment', async () => {
  const invoice = await ordered(await app.signIn())
  const early = await admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'venmo', amount: 2_000, note: invoice.invoiceNumber, payerName: 'Sam Poe' },
      ...{ payerHandle: '', paidAt: new Date(Date.now() - 3_600_000).toISOString(), providerReference: '' },
    },
  })
  const { candidates } = await admin.client.call(getPayment, { params: { paymentId: early.id }, query: {} })
  expect(candidates[0]?.evidence.map(({ about, state }) => [about, state])).toEqual([
    ['reference', 'same'],
    ['amount', 'different'],
    ['sender', 'different'],
    ['time', 'conflict'],
  ])
  expect(candidates[0]?.reasons).toContain('Paid before this order existed.')
})

test('one payment can be split among invoices of several customers, all or none', async () => {
  const rows = [await ordered(await app.signIn()), await ordered(await app.signIn()), await ordered(await app.signIn())]
  const [first] = rows
  const row = await record(9_500, first!.invoiceNumber)
  const invoiceIds = rows.map(({ id }) => id)
  const eleven = Array.from({ length: 11 }, (_, at) => first!.id + at)
  await expect(decide(row, { action: 'confirm', invoiceIds: eleven })).rejects.toMatchObject({ status: 400 })
  await expect(decide(row, { action: 'confirm', invoiceIds })).rejects.toMatchObject({ code: 'rest_open' })
  const short = await record(8_999, first!.invoiceNumber)
  await expect(decide(short, { action: 'confirm', invoiceIds })).rejects.toMatchObject({ code: 'not_enough' })
  const split = { action: 'confirm' as const, invoiceIds, rest: 'credit' as const }
  const { invoices: shown, bookings, refusal } = await preview(row, split)
  expect([refusal, shown.length, bookings.map(({ amount }) => amount)]).toEqual([null, 3, [500]])
  const statuses = () => Promise.all(rows.map(async (each) => (await invoiceOf(each.invoiceNumber)).status))
  expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
  const done = await decide(row, split)
  expect(await statuses()).toEqual(['paid', 'paid', 'paid'])
  await undo(done)
  expect(await statuses()).toEqual(['pending', 'pending', 'pending'])
})
