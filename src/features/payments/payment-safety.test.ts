import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import {
  adminRequests,
  auditLog,
  invoices,
  mails,
  payments,
  referralClaims,
  staffRoles,
  users,
} from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import {
  decidePayment,
  getPayment,
  listPayments,
  type PaymentDecision,
  previewPayment,
  undoPayment,
} from './admin-contract.ts'
import { markRefundSent, recordPayment } from './admin-record-contract.ts'
import { matchSettings } from './server/service/compare-payment.ts'

let app: TestApp
let admin: SignedIn
let other: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  other = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 15_000 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const params = { section: 'payment-desk' as const }
async function setDesk(changes: object) {
  const { version, value } = await admin.client.call(getSetting, { params })
  await admin.client.call(updateSetting, { params, body: { version, value: { ...value, ...changes } } })
}
async function ordered(customer?: SignedIn) {
  const { client, user } = customer ?? (await app.signIn())
  const { invoiceNumber } = await client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await client.call(submitPayment, {
    body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
  })
  const [invoice] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  return { ...invoice!, user }
}
const record = (amount: number, note: string, more: object = {}) =>
  admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'cashapp', amount, note, payerName: 'Dana Whitfield', payerHandle: '' },
      ...{ paidAt: new Date().toISOString(), providerReference: '' },
      ...more,
    },
  })
type Row = { id: number; version: number }
const decide = (row: Row, decision: Omit<PaymentDecision, 'version'>, who = admin) =>
  who.client.call(decidePayment, { params: { paymentId: row.id }, body: { version: row.version, ...decision } })
const detail = ({ id }: { id: number }, who = admin) =>
  who.client.call(getPayment, { params: { paymentId: id }, query: {} })
const needsAnother = { status: 409, code: 'second_administrator' }

describe('a decision about a payment above the limit for one administrator', () => {
  test('takes effect when another administrator makes the same decision, but not a different one, and not when the same administrator repeats it', async () => {
    await setDesk({ secondPersonDollars: 100 })
    const invoice = await ordered()
    const row = await record(15_000, invoice.invoiceNumber)
    const confirm = { action: 'confirm' as const, invoiceIds: [invoice.id] }
    const preview = await admin.client.call(previewPayment, {
      params: { paymentId: row.id },
      body: { ...confirm, version: row.version },
    })
    expect(preview).toMatchObject({ refusal: null, invoices: [{ isPaid: true }] })
    expect(await detail(row)).toMatchObject({ secondPerson: { aboveDollars: 100, asked: null } })
    await expect(decide(row, confirm)).rejects.toMatchObject(needsAnother)
    await expect(decide(row, confirm)).rejects.toMatchObject(needsAnother)
    expect(await detail(row, other)).toMatchObject({
      status: 'open',
      secondPerson: { asked: { by: admin.user.username } },
    })
    await expect(decide(row, { action: 'credit', invoiceIds: [invoice.id] }, other)).rejects.toMatchObject(needsAnother)
    await expect(decide(row, confirm)).rejects.toMatchObject(needsAnother)
    expect(await decide(row, confirm, other)).toMatchObject({ status: 'done' })
    expect(await app.db.$count(adminRequests)).toBe(0)
    const notices = await app.db.select().from(mails).where(eq(mails.template, 'admin_notice'))
    expect(notices.some(({ data }) => data.about === `Payment ${row.id} of $150.00: confirm an order`)).toBe(true)
  })

  test('does not take effect if the first administrator has lost the permission to decide', async () => {
    await setDesk({ secondPersonDollars: 100 })
    const asker = await app.signInAdmin()
    const row = await record(15_001, 'something else')
    await expect(decide(row, { action: 'not_ours' }, asker)).rejects.toMatchObject(needsAnother)
    const [role] = await app.db.select().from(staffRoles).where(eq(staffRoles.key, 'catalog_editor'))
    await app.db.update(users).set({ staffRoleId: role!.id }).where(eq(users.id, asker.user.id))
    await expect(decide(row, { action: 'not_ours' }, other)).rejects.toMatchObject(needsAnother)
    expect(await detail(row)).toMatchObject({ secondPerson: { asked: { by: other.user.username } } })
    expect(await decide(row, { action: 'not_ours' })).toMatchObject({ status: 'done' })
  })

  test('is undone by two administrators, and a refund is marked as sent by two with the same number', async () => {
    await setDesk({ secondPersonDollars: 100 })
    const undo = (of: Row, who: SignedIn) =>
      who.client.call(undoPayment, { params: { paymentId: of.id }, body: { version: of.version } })
    const send = (of: Row, reference: string, who: SignedIn) =>
      who.client.call(markRefundSent, { params: { paymentId: of.id }, body: { version: of.version, reference } })
    const row = await record(15_002, 'something else')
    await expect(decide(row, { action: 'not_ours' })).rejects.toMatchObject(needsAnother)
    const done = await decide(row, { action: 'not_ours' }, other)
    await expect(undo(done, admin)).rejects.toMatchObject(needsAnother)
    await expect(undo(done, admin)).rejects.toMatchObject(needsAnother)
    expect(await detail(row)).toMatchObject({ status: 'done', secondPerson: { asked: { by: admin.user.username } } })
    const open = await undo(done, other)
    expect(open).toMatchObject({ status: 'open', openCents: 15_002 })
    await expect(decide(open, { action: 'refund' })).rejects.toMatchObject(needsAnother)
    const planned = await decide(open, { action: 'refund' }, other)
    await expect(send(planned, 'T-1', admin)).rejects.toMatchObject(needsAnother)
    await expect(send(planned, 'T-2', other)).rejects.toMatchObject(needsAnother)
    expect((await detail(row)).allocations).toMatchObject([{ target: 'refund_due' }])
    await send(planned, 'T-2', admin)
    expect((await detail(row)).allocations).toMatchObject([{ target: 'refund_sent', refundReference: 'T-2' }])
    expect((await detail(row)).secondPerson).toBeNull()
    const small = await record(10_000, 'something else')
    expect(await undo(await decide(small, { action: 'not_ours' }), admin)).toMatchObject({ status: 'open' })
  })

  test('is never made by the rule; decisions about smaller payments and setting aside need one administrator', async () => {
    expect((await matchSettings(app.db)).maxCents).toBe(10_000)
    await setDesk({ secondPersonDollars: 40 })
    expect((await matchSettings(app.db)).maxCents).toBe(4_000)
    const small = await record(4_000, 'something else')
    expect(await decide(small, { action: 'not_ours' })).toMatchObject({ status: 'done' })
    const large = await record(4_001, 'something else')
    expect(await decide(large, { action: 'set_aside' })).toMatchObject({ status: 'set_aside' })
    await setDesk({ secondPersonDollars: 0 })
    expect((await matchSettings(app.db)).maxCents).toBe(10_000)
  })
})

describe('text that payers wrote', () => {
  test('has its card and account numbers masked before it is stored', async () => {
    const row = await record(7_777, 'card 4111 1111 1111 1111', { payerName: 'Dana 123456789012' })
    expect(row).toMatchObject({ note: 'card ••••1111', payerName: 'Dana ••••9012' })
    const [stored] = await app.db.select().from(payments).where(eq(payments.id, row.id))
    expect(JSON.stringify(stored)).not.toMatch(/4111 1111|12345678/)
  })

  test('is truncated; control characters are refused in typed text and shown as codes in text from a provider', async () => {
    await expect(record(100, 'a\u202eb')).rejects.toMatchObject({ status: 400 })
    await expect(record(100, 'x'.repeat(501))).rejects.toMatchObject({ status: 400 })
    const row = await record(6_666, 'plain')
    // The facts of an email are inserted directly, because payments cannot be changed later.
    const { rows } = await app.db.execute<{ id: number }>(`
      insert into payments (rail, source, amount, paid_on, payer_name, note, fallback_key) values ('venmo', 'mail', 6666, current_date, E'Eve\u202eLive', E'a\u200bb', 'marks')
      returning id::int`)
    await app.db.execute(
      `insert into payment_cases (payment_id, open_cents, blocked_by) values (${rows[0]!.id}, 6666, '{}')`,
    )
    expect(await detail({ id: rows[0]!.id })).toMatchObject({ payerName: 'Eve[U+202E]Live', note: 'a[U+200B]b' })
    const { rows: listed } = await admin.client.call(listPayments, { query: {} })
    expect(listed.find(({ id }) => id === rows[0]!.id)).toMatchObject({ payerName: 'Eve[U+202E]Live' })
    expect(row.id).toBeGreaterThan(0)
  })

  test('is in no email, audit entry or log entry', async () => {
    const marker = '=HYPERLINK("http://evil.example")<img src=x onerror=alert(1)>'
    const invoice = await ordered()
    const part = await record(5_000, `${invoice.invoiceNumber} ${marker}`, { payerName: marker })
    await decide(part, { action: 'hold', invoiceIds: [invoice.id] })
    const written = JSON.stringify([
      await app.db.select({ data: mails.data, recipient: mails.recipient }).from(mails),
      await app.db.select().from(auditLog),
    ])
    expect(written).not.toContain('HYPERLINK')
  })
})

test('many identical payments from unknown senders are one entry of the list, and can be listed and decided', async () => {
  const rows = []
  for (let at = 0; at < 20; at++) {
    if (at === 19) {
      const { alike } = await admin.client.call(listPayments, { query: {} })
      expect(alike).toEqual([])
    }
    rows.push(await record(1, `spam ${at}`, { rail: 'venmo', payerName: `Unknown${at} Sender${at}` }))
  }
  const invoice = await ordered()
  const real = await record(14_000, invoice.invoiceNumber)
  const key = 'venmo 1 USD'
  const list = await admin.client.call(listPayments, { query: {} })
  expect(list.alike).toEqual([{ key, rail: 'venmo', amount: 1, currency: 'USD', count: 20 }])
  expect(list.rows.some(({ amount }) => amount === 1)).toBe(false)
  expect(list.rows.some(({ id }) => id === real.id)).toBe(true)
  const group = await admin.client.call(listPayments, { query: { alike: key } })
  expect(group.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
  const found = await admin.client.call(listPayments, { query: { search: 'spam 7' } })
  expect(found.rows).toHaveLength(1)
  await decide(group.rows[0]!, { action: 'not_ours' })
  const after = await admin.client.call(listPayments, { query: {} })
  expect([after.alike, after.rows.filter(({ amount }) => amount === 1).length]).toEqual([[], 19])
})

test('a referral bonus is pending for the trusted days of the rail, even after an undo', async () => {
  await setDesk({ trustedDays: { ...noTrust, paypal: 180, cashapp: 3 } })
  const daysUntilBonus = async (rail: 'paypal' | 'cashapp' | 'bank') => {
    const [customer, referrer] = [await app.signIn(), await app.signIn()]
    await app.db.insert(referralClaims).values({ refereeId: customer.user.id, referrerId: referrer.user.id })
    const invoice = await ordered(customer)
    const row = await record(15_000, invoice.invoiceNumber, { rail })
    const confirm = { action: 'confirm' as const, invoiceIds: [invoice.id] }
    const done = await decide(row, confirm)
    const open = await admin.client.call(undoPayment, {
      params: { paymentId: row.id },
      body: { version: done.version },
    })
    await decide(open, confirm)
    const [claim] = await app.db.select().from(referralClaims).where(eq(referralClaims.refereeId, customer.user.id))
    return Math.round((Date.parse(claim!.bonusAvailableAt!) - Date.now()) / 86_400_000)
  }
  expect([await daysUntilBonus('paypal'), await daysUntilBonus('cashapp'), await daysUntilBonus('bank')]).toEqual([
    180, 7, 7,
  ])
  await setDesk({ trustedDays: noTrust })
})
const noTrust = { cashapp: 0, venmo: 0, zelle: 0, paypal: 0, chime: 0, wise: 0, bank: 0, card: 0 }
