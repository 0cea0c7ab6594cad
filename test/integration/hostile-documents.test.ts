// Hostile text in outgoing documents: every email, as HTML and as plain text, and the attached PDFs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compose } from '#features/mails/server/service/compose.ts'
import { type MailName, templates } from '#features/mails/server/templates.ts'
import { type MailBody, mailBodyText } from '#kit/mail-body.ts'
import { creditNotes, invoiceLines, invoices } from '#server/db/tables.ts'
import { hostileTexts } from '../../e2e/hostile-texts.ts'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createInvoice, createPlan, createUser } from '../harness/factories.ts'
import { pdfLinks, pdfText } from '../harness/pdf-text.ts'
import { renderMail } from '../harness/render-mail.ts'
import { sampled } from '../harness/scale.ts'

let app: TestApp
let customer: SignedIn
beforeAll(async () => {
  app = await buildApp()
  customer = await app.signIn()
})
afterAll(() => app.close())

const everyText = hostileTexts.join(' ')
const inHeader = 'Hello\r\nBcc: all@evil.example\r\n\r\n<script>window.ran=1</script>'
const asAddress = 'javascript:window.ran=1//'

/** Returns template data with every string replaced, except dates, HTTPS URLs and the username, which allows only a few characters. */
function withReplacedStrings(data: unknown, replacement: string): unknown {
  if (typeof data === 'string') return /^\d{4}-\d{2}-\d{2}/.test(data) || /^https:/.test(data) ? data : replacement
  if (Array.isArray(data)) return data.map((each) => withReplacedStrings(each, replacement))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      key === 'username' ? value : withReplacedStrings(value, replacement),
    ]),
  )
}
/**
 * Returns the body of an email with `replacement` in every string that accepts it, and whether any does. Some fields accept only certain values, such as a
 * payment method.
 */
async function mailBodyWith(name: MailName, replacement: string): Promise<{ mailBody: MailBody; isUsed: boolean }> {
  const composed = (data: unknown) =>
    compose(app.db, app.context.config, { template: name, data, userId: customer.user.id }, '/somewhere?token=canary')
  const { sample } = templates[name]
  let data: Record<string, unknown> = { ...sample }
  let isUsed = false
  for (const [key, value] of Object.entries(withReplacedStrings(sample, replacement) as typeof data)) {
    const next = { ...data, [key]: value }
    if (value === data[key] || !(await composed(next).catch(() => undefined))) continue
    data = next
    isUsed ||= JSON.stringify(value).includes(JSON.stringify(replacement).slice(1, -1))
  }
  return { mailBody: (await composed(data)).mailBody, isUsed }
}
const tags = (html: string) => Array.from(html.matchAll(/<(\/?[a-z][a-z0-9]*|!--)/gi), ([, name]) => name)
const addresses = (html: string) =>
  Array.from(html.matchAll(/ (?:href|src|action|background|srcset)="([^"]*)"/gi), ([, address]) => address!)

/** The operator writes these emails, and URLs in their paragraphs become links. */
const byOperator: MailName[] = ['announcement', 'service_announcement']

describe.each(Object.keys(templates) as MailName[])('the email %s', (name) => {
  test('contains no tag, URL, event handler or header line from user input', async () => {
    const plain = await renderMail((await mailBodyWith(name, 'Olive Doe')).mailBody)
    let used = 0
    let shown = 0
    for (const hostile of [everyText, inHeader, asAddress]) {
      const { mailBody, isUsed } = await mailBodyWith(name, hostile)
      const html = await renderMail(mailBody)
      if (isUsed) used++
      // A passkey name that mail programs would turn into a link is replaced by a note.
      if (/window\.ran=1|a name that looks like an address/.test(mailBodyText(mailBody))) shown++
      expect(new Set(tags(html)), 'tags').toEqual(new Set(tags(plain)))
      for (const address of addresses(html)) expect(address).toMatch(/^(https?:\/\/|mailto:|tel:|cid:|data:image\/)/)
      if (!byOperator.includes(name))
        for (const address of addresses(html)) expect(address).not.toMatch(/^https?:\/\/evil\.example/)
      expect(html).not.toMatch(/<[a-z][^<>"]*("[^"]*"[^<>"]*)* on[a-z]+=/i)
      for (const line of [mailBody.subject, mailBody.brand.name, mailBody.brand.email])
        expect(line).not.toMatch(/[\r\n\u2028\u2029]/)
    }
    expect(shown, 'accepted input is shown as plain text').toBe(used)
  })
})

test('PDFs show hostile text as text and contain no scripts, actions or foreign links', async () => {
  const plan = await createPlan(app.db)
  const { id: adminId } = await createUser(app.db, { role: 'admin' })
  const printable = hostileTexts.filter((text) => /^[\x20-\x7e]+$/.test(text) && text.length < 200)
  const pieces = [
    ...sampled(printable, 3),
    ') Tj ET /OpenAction << /S /JavaScript /JS (app.alert(1)) >>',
    'endstream endobj trailer << /Root 9 0 R >>',
  ]
  for (const [index, text] of pieces.entries()) {
    const invoice = await createInvoice(app.db, {
      userId: customer.user.id,
      planId: plan.id,
      planName: text,
      description: text,
      customerDetails: `Email: ${text}`,
      status: 'refunded',
      paidAt: '2026-09-02T10:00:00Z',
      expiresAt: '2099-01-02T10:00:00Z',
      paymentReference: text.slice(0, 60),
    })
    await app.db
      .insert(invoiceLines)
      .values({ invoiceId: invoice.id, position: 1, kind: 'plan', description: text, amount: invoice.amount })
    const note = {
      number: index + 1,
      invoiceId: invoice.id,
      userId: customer.user.id,
      amount: invoice.amount,
      creditReturned: 0,
    }
    await app.db
      .insert(creditNotes)
      .values({ ...note, paymentReference: text.padEnd(3, '.').slice(0, 120), issuedBy: adminId })
    for (const path of [
      `/invoice/${invoice.invoiceNumber}/pdf`,
      `/credit-note/CN-${String(index + 1).padStart(6, '0')}/pdf`,
    ]) {
      const response = await customer.client.request(path)
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, 'application/pdf'])
      expect(response.headers.get('content-disposition')).toMatch(/^(inline|attachment); filename="[\w.-]+"$/)
      const bytes = new Uint8Array(await response.arrayBuffer())
      const source = Buffer.from(bytes).toString('latin1')
      expect(source).not.toMatch(/\/(OpenAction|AA|JavaScript|JS|Launch|EmbeddedFile|AcroForm|SubmitForm|RichMedia)\b/)
      expect(source.match(/\btrailer\b|%%EOF/g)?.length, 'one end').toBeLessThanOrEqual(2)
      for (const link of pdfLinks(bytes)) expect(new URL(link).origin).toBe(app.context.config.publicUrl)
      const squeezed = (words: string) => words.replaceAll(/\s/g, '')
      expect(squeezed((await pdfText(bytes)).join('')), text).toContain(squeezed(text).slice(0, 20))
    }
  }
  expect(await app.db.$count(invoices)).toBe(pieces.length)
}, 120_000)
