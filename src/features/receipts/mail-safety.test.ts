import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { decidePayment, getPayment, listPayments } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import * as settings from '#features/settings/server/service.ts'
import { invoices, mails, paymentCases, paymentMails, payments, settings as settingRows } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { layouts, mailFields } from '../../../test/harness/payment-layouts.ts'
import {
  type MailChanges,
  mailContext,
  ourAddress,
  signedMail,
  testResolver,
} from '../../../test/harness/payment-mails.ts'
import { bookStatement, previewStatement } from './admin-contract.ts'
import { defaultMailbox } from './mailbox-rules.ts'
import { retryRefused } from './server/mailbox/read-again.ts'
import { storeMail } from './server/mailbox/store-mail.ts'
import { readMail } from './server/read/mail/read-mail.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 3_149 })).id
  const value = { ...defaultMailbox, addresses: [ourAddress] }
  await app.db.insert(settingRows).values({ key: 'mailbox', value, updatedBy: admin.user.id })
  const section = { params: { section: 'payments' as const } }
  const payees = await admin.client.call(getSetting, section)
  const venmoHandle = '@shop-tv'
  await admin.client.call(updateSetting, {
    ...section,
    body: { version: payees.version, value: { ...payees.value, venmoHandle } },
  })
  settings.clearCache()
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const venmo = layouts.find(({ template }) => template === 'venmo-card')!.layout
const key = () => secretKey(app.context.config)
let number = 0
type Fields = Parameters<typeof mailFields>[0]
/** Stores a signed email as the mailbox reader does. */
async function arrive(fields: Fields, changes: MailChanges = {}, resolver = testResolver) {
  const id = String(4_691_000_000_000_200_000 + ++number * 1_000)
  const parts = venmo(mailFields({ id, ...fields }))
  const raw = await signedMail(parts, { date: new Date(), ...changes })
  const content = await readMail(raw, mailContext({ now: new Date(), resolver }))
  const place = { mailbox: 'test', uidValidity: 1n, uid: number, messageId: `<${id}@x>`, sender: parts.from }
  const mail = { ...place, subject: parts.subject, size: raw.length, receivedAt: new Date() }
  const stored = await storeMail(app.db, { mail, content, raw, key }, async () => {})
  const [row] = await app.db.select().from(paymentMails).where(eq(paymentMails.id, stored.id))
  return { id, row: row!, payments: stored.payments }
}
async function setDesk(changes: object) {
  const params = { section: 'payment-desk' as const }
  const { version, value } = await admin.client.call(getSetting, { params })
  await admin.client.call(updateSetting, { params, body: { version, value: { ...value, ...changes } } })
}
async function ordered() {
  const { client } = await app.signIn()
  const { invoiceNumber } = await client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await client.call(submitPayment, {
    body: { planId, paymentMethod: 'venmo', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
  })
  return (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
}

test('a forged email books nothing, and all owners get one email a day about it', async () => {
  const change = { after: (mail: string) => mail.replace('31.49', '91.49') }
  const first = await arrive({ note: 'one' }, change)
  await arrive({ note: 'two' }, change)
  expect(first).toMatchObject({ payments: [], row: { auth: 'forged', outcome: 'refused', sealed: null } })
  const notices = (await app.db.select().from(mails)).filter(({ data }) => data.event === 'payment_email_forged')
  expect(notices).toHaveLength(1)
})

test('card and account numbers are stored only in sealed form', async () => {
  const { row, payments: ids } = await arrive({ name: 'Ana 4111111111111111', note: 'acct 000123456789' })
  const [payment] = await app.db.select().from(payments).where(eq(payments.id, ids[0]!))
  expect(payment).toMatchObject({ payerName: 'Ana ••••1111', note: 'acct ••••6789' })
  expect(row.subject).toContain('••••1111')
  expect(JSON.stringify([{ ...row, uidValidity: 0 }, payment])).not.toMatch(/4111111111111111|000123456789/)
})

test('an email that only the mail server vouched for is proven once its key can be looked up', async () => {
  const invoice = await ordered()
  const gone = async (): Promise<string[][]> => {
    throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' })
  }
  const verdict = 'dkim=pass header.i=@venmo.com; dmarc=pass header.from=venmo.com'
  const above = `Authentication-Results: mx.mailbox.example;\r\n ${verdict}\r\n`
  const { row, payments: ids } = await arrive({ note: invoice.invoiceNumber }, { above }, gone)
  expect(row).toMatchObject({ auth: 'vouched', outcome: 'payment', retryUntil: expect.any(String) })
  const blocked = async () =>
    (await app.db.select().from(paymentCases).where(eq(paymentCases.paymentId, ids[0]!)))[0]!.blockedBy
  expect(await blocked()).toContain('not_proven')
  await app.db.update(paymentMails).set({ retriedAt: sql`now() - interval '1 hour'` })
  await retryRefused({ db: app.db, resolver: testResolver, key })
  const [now] = await app.db.select().from(paymentMails).where(eq(paymentMails.id, row.id))
  expect(now).toMatchObject({ auth: 'proven', retryUntil: null })
  expect(await blocked()).not.toContain('not_proven')
})

describe('an email or row about money that we sent', () => {
  const sentMail = (name: string, amount: string, reference: string) => ({
    ...venmo(mailFields()),
    subject: `You paid ${name} $${amount}`,
    html: `<h1>You paid ${name} $${amount}</h1><h3>Transaction ID</h3><p>${reference}</p>`,
  })
  async function sent(name: string, amount: string, reference: string, changes: MailChanges = {}) {
    const parts = sentMail(name, amount, reference)
    const raw = await signedMail(parts, { date: new Date(), ...changes })
    const content = await readMail(raw, mailContext({ now: new Date() }))
    const place = { mailbox: 'test', uidValidity: 1n, uid: ++number, messageId: `<${reference}@x>`, sender: parts.from }
    const mail = { ...place, subject: parts.subject, size: raw.length, receivedAt: new Date() }
    return storeMail(app.db, { mail, content, raw, key }, async () => {})
  }
  async function planned(amount: number, payerName: string) {
    const row = await admin.client.call(recordPayment, {
      body: {
        ...{ requestKey: crypto.randomUUID(), rail: 'venmo', amount, payerName, payerHandle: '', note: '' },
        ...{ paidAt: new Date().toISOString(), providerReference: '' },
      },
    })
    const body = { action: 'refund' as const, version: row.version }
    await admin.client.call(decidePayment, { params: { paymentId: row.id }, body })
    return async () =>
      (await admin.client.call(getPayment, { params: { paymentId: row.id }, query: {} })).allocations.map(
        ({ target, refundReference }) => [target, refundReference],
      )
  }

  test('marks the only planned refund with this amount and recipient as sent, but not if the email is forged, foreign or ambiguous', async () => {
    const refund = await planned(1_234, 'Rosa Lindqvist')
    const due = [['refund_due', 'Rosa Lindqvist']]
    await sent('Rosa Lindqvist', '12.34', 'FORGED001', { after: (mail) => mail.replace('Message-ID', 'X-Id') })
    await sent('Rosa Lindqvist', '12.34', 'FOREIGN01', { to: 'other@mail.example' })
    await sent('Rosa Lindqvist', '12.35', 'OTHERAMT1')
    await sent('Rosa Someone', '12.34', 'OTHERNAME')
    expect(await refund()).toEqual(due)
    expect(await sent('Rosa Lindqvist', '12.34', 'SENT00001')).toMatchObject({ outcome: 'not_a_payment' })
    expect(await refund()).toEqual([['refund_sent', 'SENT00001']])
    const [one, two] = [await planned(4_321, 'Ida Berg'), await planned(4_321, 'Ida Berg')]
    await sent('Ida Berg', '43.21', 'TWOPLANS1')
    expect([await one(), await two()]).toEqual([[['refund_due', 'Ida Berg']], [['refund_due', 'Ida Berg']]])
  })

  test('does not mark an identical refund that was planned after this money was already marked as sent under another number', async () => {
    const first = await planned(3_456, 'Olga Brandt')
    await sent('Olga Brandt', '34.56', 'FIRSTSENT')
    expect(await first()).toEqual([['refund_sent', 'FIRSTSENT']])
    const second = await planned(3_456, 'Olga Brandt')
    await sent('Olga Brandt', '34.56', 'OTHERNUMBER')
    expect(await second()).toEqual([['refund_due', 'Olga Brandt']])
    const elsewhere = await planned(3_457, 'Olga Brandt')
    await sent('Olga Brandt', '34.57', 'OTHERMONEY')
    expect(await elsewhere()).toEqual([['refund_sent', 'OTHERMONEY']])
  })

  test('in a statement counts once for each transaction number, and not if it was sent before the refund was planned', async () => {
    const refund = await planned(2_345, 'Nils Holm')
    const heads = ',ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (fee)'
    const row = (id: string, at = new Date()) =>
      `,${id},${at.toISOString().slice(0, 19)},Payment,Complete,back,Shop TV,Nils Holm,- $23.45,`
    const file = (name: string, ...rows: string[]) => {
      const text = ['Account Statement - (@shop-tv)', 'Account Activity', heads, ...rows].join('\n')
      const body = new TextEncoder().encode(text)
      return admin.client.call(bookStatement, { query: { name, expectedNew: 0 }, body })
    }
    await file('old.csv', row('3800000000000000000', new Date(Date.now() - 2 * 86_400_000)))
    expect(await refund()).toEqual([['refund_due', 'Nils Holm']])
    await file('first.csv', row('3811111111111111111'))
    expect(await refund()).toEqual([['refund_sent', '3811111111111111111']])
    const next = await planned(2_345, 'Nils Holm')
    await file('second.csv', row('3811111111111111111'), row(''))
    expect(await next()).toEqual([['refund_due', 'Nils Holm']])
  })
})

describe('if the accounts also receive private money,', () => {
  test('only the hash and the reason of an email that has nothing to do with an order are stored', async () => {
    await setDesk({ isPrivateAccount: true })
    const before = await app.db.$count(payments)
    const { row, payments: ids } = await arrive({ name: 'Aunt Vera', note: 'for the birthday cake' })
    expect(ids).toEqual([])
    expect(row).toMatchObject({ outcome: 'not_a_payment', reason: 'private', subject: '', messageId: '', sealed: null })
    expect(JSON.stringify({ ...row, uidValidity: 0 })).not.toMatch(/Vera|birthday|31\.49/)
    expect(await app.db.$count(payments)).toBe(before)
  })

  test('a payment is recorded if it names an order, even one with a typo or a closed one, or if another source reported it', async () => {
    const invoice = await ordered()
    expect((await arrive({ note: invoice.invoiceNumber })).payments).toHaveLength(1)
    expect((await arrive({ note: 'SAUCE: ORD-ZZZZZZ' })).payments).toHaveLength(1)
    const providerReference = String(4_691_000_000_000_200_000 + (number + 1) * 1_000)
    const typed = await admin.client.call(recordPayment, {
      body: {
        ...{ requestKey: crypto.randomUUID(), rail: 'venmo', amount: 3_149, payerName: '', payerHandle: '', note: '' },
        ...{ paidAt: new Date().toISOString(), providerReference },
      },
    })
    expect((await arrive({ name: 'Aunt Vera', note: 'cake' })).payments).toEqual([typed.id])
  })

  test('rows of a statement that have nothing to do with an order are left out, with the reason', async () => {
    const invoice = await ordered()
    const line = (id: string, note: string) =>
      `"${id}","2026-11-19 09:02:11 EST","Received P2P","USD","$31.49","$0","$31.49","PAYMENT DEPOSITED","${note}","Uncle Joe"`
    const heads =
      '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Status","Notes","Name of sender/receiver"'
    const file = [heads, line('priv1', 'cake'), line('ours1', `SAUCE: ${invoice.invoiceNumber}`)].join('\n')
    const body = new TextEncoder().encode(file)
    const preview = await admin.client.call(previewStatement, { query: { name: 'mixed.csv' }, body })
    expect(preview).toMatchObject({ counts: { exact: 1, check: 0, skipped: 1 }, newCents: 3_149 })
    const lines = preview.state === 'preview' ? preview.lines : []
    expect(lines).toContainEqual(
      expect.objectContaining({ verdict: 'skipped', reason: 'private', payer: '', note: '' }),
    )
    const query = { name: 'mixed.csv', expectedNew: 1 }
    expect(await admin.client.call(bookStatement, { query, body })).toMatchObject({ counts: { new: 1, skipped: 1 } })
    const { rows } = await admin.client.call(listPayments, { query: { search: 'Uncle Joe' } })
    expect(rows).toHaveLength(1)
    await setDesk({ isPrivateAccount: false })
  })
})
