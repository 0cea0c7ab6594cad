import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { hasCheckCharacter } from '#features/billing/check-character-rules.ts'
import { createInvoice, getInvoice, setInvoiceCredit, submitPayment } from '#features/billing/contract.ts'
import { expireInvoices } from '#features/billing/server/service/orders/expire-invoices.ts'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import type { Output } from '#kit/endpoint.ts'
import { invoices, mails, paymentAllocations, payments, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import { tableHashes } from '../../../test/harness/table-hashes.ts'
import {
  decidePayment,
  getPayment,
  listPayments,
  type PaymentDecision,
  type PaymentRow,
  previewPayment,
  undoPayment,
} from './admin-contract.ts'
import { invoicePayments, markRefundSent, recordPayment } from './admin-record-contract.ts'
import { releaseHolds } from './server/service/release-holds.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 3_000 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

async function ordered(customer: SignedIn, { submitted = true } = {}) {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  if (submitted)
    await customer.client.call(submitPayment, {
      body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
    })
  return invoiceOf(invoiceNumber)
}
const invoiceOf = async (invoiceNumber: string) =>
  (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
const typed = (amount: number, note: string, more: object = {}) => ({
  requestKey: randomUUID(),
  rail: 'cashapp' as const,
  amount,
  payerName: 'Dana Whitfield',
  payerHandle: `$${randomUUID().slice(0, 8)}`,
  note,
  paidAt: new Date().toISOString(),
  providerReference: '',
  ...more,
})
const record = (amount: number, note: string, more: object = {}) =>
  admin.client.call(recordPayment, { body: typed(amount, note, more) })
const decide = (row: PaymentRow, decision: Omit<PaymentDecision, 'version'>, who = admin) =>
  who.client.call(decidePayment, { params: { paymentId: row.id }, body: { version: row.version, ...decision } })
const undo = (row: PaymentRow) =>
  admin.client.call(undoPayment, { params: { paymentId: row.id }, body: { version: row.version } })
const detail = (row: { id: number }, invoiceId?: number) =>
  admin.client.call(getPayment, { params: { paymentId: row.id }, query: invoiceId ? { invoiceId } : {} })
const creditOf = async (userId: number) =>
  (await app.db.select({ credit: users.accountCredit }).from(users).where(eq(users.id, userId)))[0]!.credit
const mailsTo = async (userId: number): Promise<string[]> =>
  (await app.db.select().from(mails).where(eq(mails.userId, userId))).map(({ template }) => template)
const shortOf = async (customer: SignedIn, cents = 1_000) => {
  const invoice = await ordered(customer)
  const part = await record(invoice.amount - cents, invoice.invoiceNumber)
  return { invoice, part: await decide(part, { action: 'hold', invoiceIds: [invoice.id] }) }
}

describe('recording a payment', () => {
  test('refuses impossible amounts, dates and rails', async () => {
    const wrong = [
      typed(0, ''),
      typed(1.5, ''),
      typed(100_000_001, ''),
      typed(100, '', { rail: 'barter' }),
      typed(100, '', { paidAt: '2199-01-01' }),
      typed(100, '', { paidAt: '0001-01-01' }),
      typed(100, '', { paidAt: '0000-01-01T00:00:00Z' }),
      typed(100, 'x'.repeat(501)),
      typed(100, 'a\u202eb'),
      typed(100, '', { requestKey: 'again' }),
    ]
    for (const body of wrong)
      expect((await admin.client.post('/api/admin/payments', body)).status, JSON.stringify(body)).toBe(400)
  })

  test('happens once per request, even when the request is sent twice at the same time', async () => {
    const body = typed(4_200, 'twice')
    const answers = await Promise.all([1, 2, 3].map(() => admin.client.call(recordPayment, { body })))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    await expect(admin.client.call(recordPayment, { body: { ...body, amount: 1 } })).rejects.toMatchObject({
      status: 409,
      code: 'request_used',
    })
  })

  test('records two identical payments without a transaction number as two, and with the same number as one', async () => {
    const same = { payerHandle: '$equal', paidAt: '2026-11-20' }
    const rows = await Promise.all([record(700, 'equal', same), record(700, 'equal', same)])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2)
    await record(701, 'numbered', { providerReference: '#D-1' })
    await expect(record(701, 'numbered', { providerReference: '#D-1' })).rejects.toMatchObject({
      status: 409,
      code: 'known_payment',
    })
  })

  test('stores facts that can be neither changed nor deleted', async () => {
    await record(500, 'a fact')
    await expect(app.db.update(payments).set({ amount: 1 })).rejects.toThrow()
    await expect(app.db.delete(payments)).rejects.toThrow()
  })
})

describe('matching', () => {
  test('suggests no invoice for an unrelated payment, even if the amount fits', async () => {
    await ordered(await app.signIn({ fullName: 'Robin Smith' }))
    const row = await record(3_000, 'for TV', { payerName: 'Kim Jones' })
    expect(row).toMatchObject({ kind: 'unknown', ready: false, invoiceNumber: null })
    expect((await detail(row)).candidates).toEqual([])
  })

  test('reports two references as ambiguous, and a payer known for another customer as a conflict', async () => {
    const [one, other] = [await app.signIn(), await app.signIn()]
    const first = await ordered(one)
    const second = await ordered(other)
    expect(await record(3_000, `${first.invoiceNumber} ${second.invoiceNumber}`)).toMatchObject({ ready: false })
    const payer = { payerHandle: '$lee' }
    await decide(await record(3_000, first.invoiceNumber, payer), { action: 'confirm', invoiceIds: [first.id] })
    const wrong = await record(3_000, second.invoiceNumber, payer)
    expect(wrong.ready).toBe(false)
    const [candidate] = (await detail(wrong)).candidates
    expect(candidate?.evidence.find(({ about }) => about === 'sender')?.state).toBe('conflict')
  })

  test('suggests the order of a number with one typo, thanks to its check character, but not as ready to confirm', async () => {
    const invoice = await ordered(await app.signIn())
    const six = invoice.invoiceNumber.slice(4)
    expect(hasCheckCharacter(six)).toBe(true)
    const typo = six.startsWith('Z') ? `Y${six.slice(1)}` : `Z${six.slice(1)}`
    expect(await record(3_000, `SAUCE: ORD-${typo}`)).toMatchObject({
      kind: 'likely',
      ready: false,
      invoiceNumber: invoice.invoiceNumber,
    })
  })

  test('reports a payment with the number or phrase and the exact amount as ready to confirm, with the reasons', async () => {
    const invoice = await ordered(await app.signIn())
    const row = await record(3_000, `SAUCE: ${invoice.invoiceNumber.toLowerCase().replace('-', ' ')}`)
    expect(row).toMatchObject({ kind: 'exact', ready: true, invoiceNumber: invoice.invoiceNumber, difference: 0 })
    const [candidate] = (await detail(row)).candidates
    expect(candidate?.reasons).toContain('$30.00 is exactly what is due.')
    expect(candidate?.evidence.map(({ state }) => state)).toEqual(['same', 'same', 'different', 'same'])
    const { rows } = await admin.client.call(listPayments, { query: {} })
    expect(rows[0]!.ready).toBe(true)
  })
})

describe('confirming a payment', () => {
  test('is refused for a stale version, for a rest without a choice what happens to it, and for too little money', async () => {
    const invoice = await ordered(await app.signIn())
    const row = await record(2_000, invoice.invoiceNumber)
    const confirm = { action: 'confirm' as const, invoiceIds: [invoice.id] }
    await expect(decide({ ...row, version: 9 }, confirm)).rejects.toMatchObject({ status: 409, code: 'stale' })
    await expect(decide(row, confirm)).rejects.toMatchObject({ status: 409, code: 'not_enough' })
    await expect(decide(row, { action: 'confirm' })).rejects.toMatchObject({ code: 'no_invoice' })
    const over = await record(3_500, invoice.invoiceNumber)
    await expect(decide(over, confirm)).rejects.toMatchObject({ status: 409, code: 'rest_open' })
    await expect(decide(over, { action: 'link', invoiceIds: [invoice.id] })).rejects.toMatchObject({ code: 'not_paid' })
  })

  test('marks the invoice as paid at the time of the payment, and undoing it restores every table', async () => {
    const customer = await app.signIn()
    const invoice = await ordered(customer, { submitted: false })
    const row = await record(3_000, invoice.invoiceNumber)
    const changing = ['audit_log', 'mails', 'activations', 'payment_allocations', 'payment_decisions']
    const outside = {
      except: [...changing, 'payment_cases', 'invoices', 'line_jobs', 'lines', 'row_changes', 'insight_marks'],
    }
    const before = await tableHashes(app.database.pool, outside)
    const preview = await admin.client.call(previewPayment, {
      params: { paymentId: row.id },
      body: { version: row.version, action: 'confirm', invoiceIds: [invoice.id] },
    })
    expect(preview).toMatchObject({
      refusal: null,
      invoices: [{ invoiceNumber: invoice.invoiceNumber }],
      emails: ['payment_confirmed'],
    })
    expect(await tableHashes(app.database.pool)).toMatchObject(before)
    const done = await decide(row, { action: 'confirm', invoiceIds: [invoice.id] })
    expect(done).toMatchObject({ status: 'done', decision: { action: 'confirm', by: admin.user.username } })
    const paid = await invoiceOf(invoice.invoiceNumber)
    expect(paid).toMatchObject({ status: 'paid', paidAt: row.paidAt })
    expect(await admin.client.call(invoicePayments, { params: { invoiceId: invoice.id } })).toMatchObject([
      { paymentId: row.id, amount: 3_000, held: false },
    ])
    await expect(
      admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'pending' } }),
    ).rejects.toMatchObject({ code: 'payment_recorded' })
    const undone = await undo(done)
    expect(undone).toMatchObject({ status: 'open', ready: true, openCents: 3_000 })
    const { version: _, ...restored } = await invoiceOf(invoice.invoiceNumber)
    const { version: _before, ...original } = invoice
    expect(restored).toEqual(original)
    expect(await tableHashes(app.database.pool, outside)).toEqual(before)
    await expect(undo(undone)).rejects.toMatchObject({ status: 409, code: 'nothing_to_undo' })
  })

  test('turns money that is left over into credit, and cannot be undone once the credit is spent', async () => {
    const customer = await app.signIn()
    const invoice = await ordered(customer)
    const row = await record(3_601, invoice.invoiceNumber)
    expect(row).toMatchObject({ kind: 'over', difference: 601 })
    const confirm = { action: 'confirm' as const, invoiceIds: [invoice.id], rest: 'credit' as const }
    const done = await decide(row, confirm)
    expect(await creditOf(customer.user.id)).toBe(601)
    const undone = await undo(done)
    expect(await creditOf(customer.user.id)).toBe(0)
    const again = await decide(undone, confirm)
    await admin.client.call(adjustCredit, {
      params: { userId: customer.user.id },
      body: { amount: -600, reason: 'Spent elsewhere' },
    })
    await expect(undo(again)).rejects.toMatchObject({ status: 409, code: 'credit_spent' })
    expect((await invoiceOf(invoice.invoiceNumber)).status).toBe('paid')
  })

  test('for an invoice that was confirmed before only links the payment, and a further payment is a duplicate', async () => {
    const customer = await app.signIn()
    const invoice = await ordered(customer)
    await admin.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'paid' } })
    const row = await record(3_000, invoice.invoiceNumber)
    const sent = (await mailsTo(customer.user.id)).length
    expect(row).toMatchObject({ kind: 'linked', ready: true })
    await decide(row, { action: 'link', invoiceIds: [invoice.id] })
    expect((await mailsTo(customer.user.id)).length).toBe(sent)
    const second = await record(3_000, invoice.invoiceNumber)
    expect(second).toMatchObject({ kind: 'double', ready: false })
    await expect(decide(second, { action: 'link', invoiceIds: [invoice.id] })).rejects.toMatchObject({
      code: 'already_paid',
    })
    await decide(second, { action: 'credit', invoiceIds: [invoice.id] })
    expect(await creditOf(customer.user.id)).toBe(3_000)
  })

  test('confirms an expired invoice if the payment is at most 14 days late', async () => {
    const invoice = await ordered(await app.signIn())
    const expire = (ago: string) =>
      app.db.execute(
        sql`update invoices set created_at = now() - ${ago}::interval - interval '2 days', expires_at = now() - ${ago}::interval where id = ${invoice.id}`,
      )
    await expire('15 days')
    await expireInvoices(app.db)
    const row = await record(3_000, invoice.invoiceNumber)
    expect(row).toMatchObject({ kind: 'late', ready: false })
    await expect(decide(row, { action: 'confirm', invoiceIds: [invoice.id] })).rejects.toMatchObject({
      code: 'too_late',
    })
    await expire('13 days')
    const done = await decide(row, { action: 'confirm', invoiceIds: [invoice.id] })
    await undo(done)
    expect((await invoiceOf(invoice.invoiceNumber)).status).toBe('expired')
  })

  test('can pay several open invoices of a customer, all or none', async () => {
    const customer = await app.signIn()
    const first = await ordered(customer)
    const second = await ordered(customer)
    const row = await record(6_000, first.invoiceNumber)
    expect(row.kind).toBe('split')
    expect((await detail(row)).candidates[0]!.together.map(({ invoiceId }) => invoiceId)).toEqual([first.id, second.id])
    const done = await decide(row, { action: 'confirm', invoiceIds: [first.id, second.id] })
    expect((await invoiceOf(second.invoiceNumber)).status).toBe('paid')
    await undo(done)
    expect((await invoiceOf(first.invoiceNumber)).status).toBe('pending')
  })
})

describe('a part payment', () => {
  test('is held, asks the customer for the rest, and is joined with the rest', async () => {
    const customer = await app.signIn()
    const { invoice, part } = await shortOf(customer)
    expect(part).toMatchObject({ status: 'held', openCents: 0 })
    expect(await mailsTo(customer.user.id)).toContain('payment_short')
    expect((await invoiceOf(invoice.invoiceNumber)).expiresAt > invoice.expiresAt).toBe(true)
    expect(await customer.client.call(getInvoice, { params: { invoiceNumber: invoice.invoiceNumber } })).toMatchObject({
      received: 2_000,
    })
    await expect(
      customer.client.call(setInvoiceCredit, {
        params: { invoiceNumber: invoice.invoiceNumber },
        body: { useCredit: true },
      }),
    ).rejects.toMatchObject({ code: 'payment_held' })
    const rest = await record(1_000, invoice.invoiceNumber)
    expect(rest).toMatchObject({ kind: 'join', ready: true })
    const done = await decide(rest, { action: 'confirm', invoiceIds: [invoice.id] })
    expect((await invoiceOf(invoice.invoiceNumber)).status).toBe('paid')
    const joined = await detail(part)
    expect(joined).toMatchObject({ status: 'done' })
    await expect(undo(joined)).rejects.toMatchObject({ status: 409, code: 'joined' })
    await undo(done)
    const held = await detail(part)
    expect(held).toMatchObject({ status: 'held' })
    expect(await undo(held)).toMatchObject({ status: 'open', openCents: 2_000 })
    expect((await invoiceOf(invoice.invoiceNumber)).expiresAt).toBe(invoice.expiresAt)
  })

  test('becomes credit when its invoice expires, and is open again if the invoice was paid in another way', async () => {
    const [one, other] = [await app.signIn(), await app.signIn()]
    const expired = await shortOf(one)
    const paid = await shortOf(other)
    await app.db.update(invoices).set({ status: 'expired' }).where(eq(invoices.id, expired.invoice.id))
    await admin.client.call(updateInvoice, { params: { invoiceId: paid.invoice.id }, body: { status: 'paid' } })
    expect([await releaseHolds(app.db), await releaseHolds(app.db)]).toEqual([2, 0])
    expect(await creditOf(one.user.id)).toBe(2_000)
    expect(await detail(paid.part)).toMatchObject({ status: 'open', openCents: 2_000, kind: 'double' })
  })
})

describe('the list of payments', () => {
  test('is read page by page without gaps, and refuses an unknown cursor', async () => {
    const note = `page ${randomUUID()}`
    for (let at = 0; at < 51; at++) await record(100 + at, note)
    const seen: number[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page: Output<typeof listPayments> = await admin.client.call(listPayments, {
        query: after ? { after } : {},
      })
      seen.push(...page.rows.map(({ id }) => id))
      after = page.next
    }
    expect(new Set(seen).size).toBe(seen.length)
    const first = await admin.client.call(listPayments, { query: {} })
    expect(seen).toHaveLength(first.ready.count + first.decide.count)
    for (const after of ['x', '1|2026-02-30|1', '1|1|x', "1|1|1'"])
      await expect(admin.client.call(listPayments, { query: { after } })).rejects.toMatchObject({ status: 400 })
  })
})

describe('other decisions', () => {
  test('set a payment aside, reopen it, mark it as not ours, and are undone', async () => {
    const row = await record(900, 'who knows')
    const aside = await decide(row, { action: 'set_aside', until: '2026-12-24', reason: 'Asked' })
    expect(aside).toMatchObject({ status: 'set_aside', setAsideUntil: '2026-12-24' })
    const again = await decide(aside, { action: 'reopen' })
    const refused = await decide(again, { action: 'not_ours' })
    await expect(decide(refused, { action: 'credit' })).rejects.toMatchObject({ code: 'decided' })
    expect(await undo(refused)).toMatchObject({ status: 'open', openCents: 900 })
  })

  test('plan a refund, which is listed and cannot be undone once it is sent', async () => {
    const row = await record(901, 'please return')
    const planned = await decide(row, { action: 'refund', refundTo: '$back' })
    const listed = await admin.client.call(listPayments, { query: { tab: 'refunds' } })
    expect(listed.rows.map(({ id }) => id)).toContain(row.id)
    const open = await undo(planned)
    const sent = await admin.client.call(markRefundSent, {
      params: { paymentId: row.id },
      body: { version: (await decide(open, { action: 'refund' })).version, reference: '#R-1' },
    })
    await expect(undo(sent)).rejects.toMatchObject({ code: 'refund_sent' })
    expect((await admin.client.call(listPayments, { query: { tab: 'refunds' } })).rows).toEqual([])
  })

  test('of two administrators at the same time take effect once per payment, and the others get the reason', async () => {
    const june = await app.signInAdmin()
    for (let round = 0; round < roundCount('PAYMENT_RACES', { short: 3, full: 50 }); round++) await race(june)
  })

  const race = async (june: SignedIn) => {
    const invoice = await ordered(await app.signIn())
    const [row, twin] = [await record(3_000, invoice.invoiceNumber), await record(3_000, invoice.invoiceNumber)]
    const confirm = { action: 'confirm' as const, invoiceIds: [invoice.id] }
    const same = await Promise.allSettled([
      decide(row, confirm),
      decide(row, confirm, june),
      decide(twin, confirm, june),
    ])
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const codes = same.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(codes.every((code) => code === 'stale' || code === 'already_paid' || code === 'decided')).toBe(true)
    expect(await app.db.$count(paymentAllocations, eq(paymentAllocations.invoiceId, invoice.id))).toBe(1)
  }
})
