import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import { auditLog, invoiceLines, invoices } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan } from '../../../test/harness/factories.ts'
import { pdfLinks, pdfPages, pdfText } from '../../../test/harness/pdf-text.ts'

let app: TestApp
let olive: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  olive = await app.signIn('olive')
  planId = (
    await createPlan(app.db, {
      name: 'Beast: 3 Months, 2 Connections',
      tier: 2,
      months: 3,
      connections: 2,
      price: 5_999,
    })
  ).id
})
afterAll(() => app.close())

type Values = Partial<typeof invoices.$inferInsert> & {
  lines?: { kind: 'plan' | 'referral_discount' | 'credit'; description: string; amount: number }[]
}
async function invoiceOf({ user }: SignedIn, { lines = [], ...values }: Values = {}) {
  const invoice = await createInvoice(app.db, {
    userId: user.id,
    planId,
    status: 'pending',
    createdAt: '2026-09-02T10:00:00Z',
    expiresAt: '2099-01-02T10:00:00Z',
    ...values,
  })
  if (lines.length > 0)
    await app.db
      .insert(invoiceLines)
      .values(lines.map((line, index) => ({ ...line, invoiceId: invoice.id, position: index + 1 })))
  return invoice
}
const setHandles = async (handles: object) => {
  await app.db.transaction((tx) =>
    settings.writeSetting(tx, 'payments', { ...defaults.payments, ...handles }, olive.user.id),
  )
  settings.clearCache()
}
const pdfOf = ({ client }: SignedIn, invoiceNumber: string) => client.request(`/invoice/${invoiceNumber}/pdf`)
const bytesOf = async (who: SignedIn, invoiceNumber: string) =>
  new Uint8Array(await (await pdfOf(who, invoiceNumber)).arrayBuffer())
const wordsOf = async (who: SignedIn, invoiceNumber: string) =>
  (await pdfText(await bytesOf(who, invoiceNumber))).join(' ')

describe('the PDF of an invoice is refused', () => {
  test('without a session: 401 and no content', async () => {
    const { invoiceNumber } = await invoiceOf(olive)
    const response = await app.client().request(`/invoice/${invoiceNumber}/pdf`)
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json'])
    expect(response.headers.get('content-disposition')).toBeNull()
  })

  test('to another customer with the same response as for a missing invoice', async () => {
    const { invoiceNumber } = await invoiceOf(olive)
    const stranger = await app.signIn()
    const responses = await Promise.all(
      [invoiceNumber, 'ORD-ZZZZZZ', '%0d%0aset-cookie:x', 'x'.repeat(65)].map(async (number) => {
        const response = await pdfOf(stranger, number)
        return [response.status, await response.text()]
      }),
    )
    for (const [status, text] of responses)
      expect([status, text]).toEqual([404, expect.stringContaining('"code":"not_found"')])
    const [foreign, missing] = await Promise.all(
      [pdfOf(stranger, invoiceNumber), pdfOf(stranger, 'ORD-ZZZZZZ')].map(async (r) => (await r).text()),
    )
    expect(foreign).toBe(missing)
  })

  test('for any method other than GET and HEAD', async () => {
    const { invoiceNumber } = await invoiceOf(olive)
    const response = await olive.client.post(`/invoice/${invoiceNumber}/pdf`, {})
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the PDF of an invoice', () => {
  test('is named after its number, is not cacheable, and is one Letter page', async () => {
    const { invoiceNumber } = await invoiceOf(olive)
    const response = await pdfOf(olive, invoiceNumber)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Invoice-${invoiceNumber}.pdf"`,
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
    expect(pdfPages(bytes)).toEqual({ count: 1, size: [612, 792] })
  })

  test('has the content of the invoice page for a paid invoice', async () => {
    const lines = [
      { kind: 'plan' as const, description: 'Beast: 3 Months, 2 Connections, for 3 months', amount: 5_999 },
      { kind: 'referral_discount' as const, description: 'Referral discount (15%)', amount: -900 },
      { kind: 'credit' as const, description: 'Account credit', amount: -1_000 },
    ]
    const { invoiceNumber } = await invoiceOf(olive, {
      lines,
      amount: 4_099,
      status: 'paid',
      paidAt: '2026-09-03T08:00:00Z',
      paymentMethod: 'venmo',
      customerDetails: 'Email: bill@example.org',
      notes: 'Thank you, and “enjoy” the show – déjà vu.',
    })
    const textOfPdf = pdfText(await bytesOf(olive, invoiceNumber))
    expect(textOfPdf).toEqual([
      'SauceTV',
      'Paid',
      `Invoice ${invoiceNumber}`,
      'Issue date: September 2, 2026',
      'Payment date: September 3, 2026',
      'Payment method: Venmo',
      'Amount',
      '$40.99',
      'Paid in full',
      'From',
      'SauceTV',
      'support@saucetv.example',
      'Bill To',
      'olive',
      'olive@example.org',
      'Email: bill@example.org',
      ...['Description', 'Quantity', 'Unit price', 'Amount'],
      ...['Beast: 3 Months, 2 Connections, for 3 months', '1', '$59.99', '$59.99'],
      ...['Referral discount (15%)', '1', '-$9.00', '-$9.00'],
      ...['Account credit', '1', '-$10.00', '-$10.00'],
      ...['Total', '$40.99'],
      'Notes',
      'Thank you, and “enjoy” the show – déjà vu.',
    ])
  })

  test('is identical byte for byte when nothing has changed', async () => {
    const { invoiceNumber } = await invoiceOf(olive)
    const [first, second] = [await bytesOf(olive, invoiceNumber), await bytesOf(olive, invoiceNumber)]
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true)
  })

  test.each([
    ['cashapp', 'Payment by Cash App is not set up yet. Please do not send money'],
    ['venmo', 'Payment by Venmo is not set up yet. Please do not send money'],
    [null, 'Cash App: Payment by Cash App is not set up yet'],
  ] as const)('says that payment is not set up while no handle is set: %s', async (paymentMethod, words) => {
    await setHandles({})
    const { invoiceNumber } = await invoiceOf(olive, { status: 'pending', paymentMethod })
    const bytes = await bytesOf(olive, invoiceNumber)
    expect((await pdfText(bytes)).join(' ')).toContain(words)
    expect((await pdfLinks(bytes)).join()).not.toMatch(/cash\.app|venmo\.com/)
  })

  test('lists only the payment methods that are offered', async () => {
    await setHandles({ cashtag: '$KiwiTV', offers: { cashapp: true, venmo: false, creditcard: false } })
    const { invoiceNumber } = await invoiceOf(olive, { status: 'pending', paymentMethod: null })
    const words = await wordsOf(olive, invoiceNumber)
    expect(words).toContain('Cash App: Send $59.99 to $KiwiTV')
    expect(words).not.toMatch(/Venmo:|Credit card:/)
  })

  test.each([
    [
      'cashapp',
      ['Send $59.99 to $SauceTVDemo with the note', 'Enter the note exactly'],
      [/^https:\/\/cash\.app\/\$SauceTVDemo\/59\.99$/],
    ],
    [
      'venmo',
      ['Send $59.99 to @saucetv-demo with the note', 'Set the payment to private.'],
      [/^https:\/\/venmo\.com\/saucetv-demo\?/],
    ],
    ['creditcard', ['A secure payment link will be emailed to olive@example.org', 'within 1 hour', '15 minutes'], []],
    [null, ['Choose how to pay $59.99', 'Cash App: Send', 'Venmo: Send', 'Credit card: A secure payment link'], []],
  ] as const)('has payment instructions for a pending invoice: %s', async (paymentMethod, words, links) => {
    await setHandles({ cashtag: '$SauceTVDemo', venmoHandle: '@saucetv-demo' })
    const { invoiceNumber } = await invoiceOf(olive, { status: 'pending', paymentMethod })
    const bytes = await bytesOf(olive, invoiceNumber)
    const textOfPdf = pdfText(bytes).join(' ')
    for (const word of ['Payment instructions', 'Pay by: January 2, 2099', ...words]) expect(textOfPdf).toContain(word)
    if (paymentMethod !== 'creditcard') expect(textOfPdf).toContain(`SAUCE: ${invoiceNumber}`)
    expect(pdfLinks(bytes)).toEqual(links.map((link) => expect.stringMatching(link)))
  })

  test('links to the https page of a card payment', async () => {
    const values = { status: 'pending', paymentMethod: 'creditcard' } as const
    const safe = await invoiceOf(olive, { ...values, paymentLink: 'https://pay.example/abc' })
    expect(pdfLinks(await bytesOf(olive, safe.invoiceNumber))).toEqual(['https://pay.example/abc'])
  })

  test('has no payment instructions when nothing is left to pay or the invoice is closed', async () => {
    const free = await wordsOf(olive, (await invoiceOf(olive, { status: 'pending', amount: 0 })).invoiceNumber)
    expect(free).toContain('There is nothing left to pay.')
    expect(free).not.toContain('SAUCE: ')
    for (const status of ['paid', 'cancelled', 'expired'] as const) {
      const paidAt = status === 'paid' ? '2026-09-03T08:00:00Z' : null
      expect(await wordsOf(olive, (await invoiceOf(olive, { status, paidAt })).invoiceNumber)).not.toContain(
        'Payment instructions',
      )
    }
    const late = await invoiceOf(olive)
    await app.db.update(invoices).set({ expiresAt: sql`now() - interval '1 second'` }).where(eq(invoices.id, late.id))
    expect(await wordsOf(olive, late.invoiceNumber)).toContain('SauceTV Expired Invoice')
  })

  test('shows characters missing in the standard fonts without accents or as question marks', async () => {
    const { invoiceNumber } = await invoiceOf(olive, {
      notes: 'Žofia Nagy\u0151 ćevapi 東京 \u{1F980} €5',
      planName: 'x',
    })
    expect(await wordsOf(olive, invoiceNumber)).toContain('Žofia Nagyo cevapi ?? ? €5')
  })

  test('can be read by administrators, and each read is audited', async () => {
    const admin = await app.signInAdmin()
    const { id, invoiceNumber } = await invoiceOf(olive)
    expect((await pdfOf(admin, invoiceNumber)).status).toBe(200)
    const rows = await app.db.select().from(auditLog).where(eq(auditLog.actorId, admin.user.id))
    expect(rows).toMatchObject([{ action: 'invoice.read', targetType: 'invoice', targetId: String(id) }])
  })
})
