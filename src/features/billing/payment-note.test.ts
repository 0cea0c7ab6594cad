import { eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as settings from '#features/settings/server/service.ts'
import { invoices, mails, settings as settingsTable } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createInvoice as givenInvoice } from '../../../test/harness/factories.ts'
import { listAllInvoices, updateInvoice } from './admin-contract.ts'
import { createInvoice, getInvoice, submitPayment } from './contract.ts'
import { compareNote, paymentNoteFor } from './rules.ts'
import { paymentInstructions } from './server/invoice-instructions.ts'
import { paymentPhrases } from './server/payment-phrases.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db)).id
})
beforeEach(async () => {
  await app.db.update(invoices).set({ status: 'cancelled' }).where(isNotNull(invoices.paymentReference))
})
afterAll(() => app.close())

const useStyle = async (noteStyle: 'number' | 'phrase') => {
  const value = { noteStyle, cashtag: '$SauceTVDemo' }
  await app.db
    .insert(settingsTable)
    .values({ key: 'payments', value })
    .onConflictDoUpdate({ target: settingsTable.key, set: { value } })
  settings.clearCache()
}
const order = async () =>
  (await app.signIn()).client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
const rowOf = async (id: number) => (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!
const reopen = (invoiceId: number) =>
  admin.client.call(updateInvoice, { params: { invoiceId }, body: { status: 'pending' } })

describe('the payment note of an invoice', () => {
  test('contains the invoice number, or a phrase if the settings say so', async () => {
    await useStyle('number')
    const numbered = await order()
    expect([numbered.paymentReference, paymentNoteFor('SAUCE: ', numbered)]).toEqual([
      null,
      `SAUCE: ${numbered.invoiceNumber}`,
    ])
    await useStyle('phrase')
    const named = await order()
    expect(paymentPhrases).toContain(named.paymentReference)
    expect(paymentNoteFor('SAUCE: ', named)).toBe(`SAUCE: ${named.paymentReference}`)
  })

  test('can contain one of at least 200 distinct phrases of two lowercase words', () => {
    expect(new Set(paymentPhrases).size).toBe(paymentPhrases.length)
    expect(paymentPhrases.length).toBeGreaterThanOrEqual(200)
    for (const phrase of paymentPhrases) expect(phrase).toMatch(/^[a-z]{4,8} [a-z]{4,8}$/)
  })

  test('is unique among open invoices, even for concurrent orders', async () => {
    await useStyle('phrase')
    const createdOrders = await Promise.all(Array.from({ length: 40 }, order))
    expect(new Set(createdOrders.map(({ paymentReference }) => paymentReference)).size).toBe(40)
  })

  test('is the same phrase in the payment instructions and in the order email', async () => {
    await useStyle('phrase')
    const customer = await app.signIn()
    const { invoiceNumber, paymentReference } = await customer.client.call(createInvoice, {
      body: { planId, email: 'buyer@example.org' },
    })
    const paymentNote = `SAUCE: ${paymentReference}`
    await customer.client.call(submitPayment, {
      body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote, invoiceNumber },
    })
    const detail = await customer.client.call(getInvoice, { params: { invoiceNumber } })
    const [first] = paymentInstructions(detail, await settings.read(app.db, 'payments'))
    expect(first!.text).toContain(`with the note “${paymentNote}”`)
    const [mail] = await app.db.select().from(mails).where(eq(mails.userId, customer.user.id))
    expect(mail).toMatchObject({ template: 'order_received', data: { invoiceNumber, paymentReference } })
  })

  test('contains the invoice number when every phrase is in use', async () => {
    await useStyle('phrase')
    const { user } = await app.signIn()
    for (const paymentReference of paymentPhrases)
      await givenInvoice(app.db, { userId: user.id, planId, status: 'pending', paymentReference })
    expect((await order()).paymentReference).toBeNull()
    const close = (days: number) =>
      app.db
        .update(invoices)
        .set({ status: 'cancelled', expiresAt: new Date(Date.now() - days * 86_400_000).toISOString() })
        .where(eq(invoices.userId, user.id))
    await close(89)
    expect((await order()).paymentReference).toBeNull()
    await close(91)
    expect((await order()).paymentReference).not.toBeNull()
  })

  test.each(['SAUCE: plain sample', 'Plain Sample', 'SAUCE: ORD-N0TED1', 'n0ted1'])(
    'leads to its open invoice when %j is pasted into the search',
    async (search) => {
      const { user } = await app.signIn()
      const named = { userId: user.id, planId, paymentReference: 'plain sample' }
      await givenInvoice(app.db, { ...named, status: 'cancelled' })
      const { id } = await givenInvoice(app.db, { ...named, status: 'pending', invoiceNumber: 'ORD-N0TED1' })
      const { rows } = await admin.client.call(listAllInvoices, { query: { search } })
      expect(rows.map((row) => row.id)).toEqual([id])
      await app.db
        .update(invoices)
        .set({ invoiceNumber: `ORD-${String(id).padStart(6, 'X')}` })
        .where(eq(invoices.id, id))
    },
  )

  test('is kept by a reopened invoice unless another open invoice uses it', async () => {
    const { user } = await app.signIn()
    const closed = { userId: user.id, planId, status: 'cancelled', paymentReference: 'amber otter' } as const
    const [first, second] = [await givenInvoice(app.db, closed), await givenInvoice(app.db, closed)]
    expect(await reopen(first.id)).toMatchObject({ paymentReference: 'amber otter' })
    expect(await reopen(second.id)).toMatchObject({ paymentReference: null })
    expect((await rowOf(first.id)).paymentReference).toBe('amber otter')
  })
})

describe('the note of a submitted payment', () => {
  const named = { invoiceNumber: 'ORD-ABC234', paymentReference: 'amber otter' }
  const numbered = { ...named, paymentReference: null }
  test.each([
    ['SAUCE: ORD-ABC234', numbered, 'same'],
    ['sauce ord abc234', numbered, 'similar'],
    ['my order ORD-ABC234 thanks', numbered, 'similar'],
    ['SAUCE: amber otter', numbered, 'different'],
    ['SAUCE: amber otter', named, 'same'],
    ['Amber-Otter', named, 'similar'],
    ['SAUCE: ORD-ABC234', named, 'similar'],
    ['SAUCE: amber maple', named, 'different'],
    ['', named, null],
    [null, named, null],
  ])('%j is compared with the requested note', (note, invoice, match) => {
    expect(compareNote(note, 'SAUCE: ', invoice)).toBe(match)
  })
})
