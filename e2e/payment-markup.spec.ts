import type { Page } from '@playwright/test'
import { expect, test } from '../test/harness/browser.ts'
import { openOrder, submitOrder } from './order.ts'
import { openPayments, recordPayment } from './payments.ts'

// Uses its own app, because the list would show only these payments to other specs.
test.use({ environment: { JOURNEYS: 'markup' } })

const run = 'globalThis.ran=1'
const tags = ['img src=x onerror', 'svg onload', 'body onload', 'details open ontoggle', 'input autofocus onfocus']
const beginnings = ['', '">', "'>", '</td>', '</script>', '<!--->', ']]>', '<noscript>']
const links = [`javascript:${run}`, 'data:text/html,<script>parent.ran=1</script>', '//evil.example/x']
/** Texts that a payer may write as name or note. Each would set `ran` or load another site if a page ran it. */
const payloads = [
  ...beginnings.flatMap((start) => tags.map((tag) => `${start}<${tag}=${run}>`)),
  ...beginnings.slice(0, 4).map((start) => `${start}<script>${run}</script>`),
  ...links.flatMap((link) => [`<a href="${link}">`, `<iframe src="${link}">`, link]),
  ...['=HYPERLINK("//evil.example")', '+cmd', '@SUM(1)', '-1+1', '{{constructor.constructor("ran=1")()}}'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a payload
  ...['${ran=1}', '<math><style><img src onerror=ran=1>', '<base href="//evil.example">'],
]

/** Returns whether a payer's text was executed in the page or became an HTML element. */
const wasRun = (page: Page) =>
  page.evaluate(
    () =>
      'ran' in globalThis ||
      document.querySelector('main :is(script, iframe, base, math, [onerror], [onload])') !== null,
  )

test(`${payloads.length} names and notes with markup and formulas are shown as text @proof`, async ({
  page,
  register,
  newCaller,
  signInAdmin,
}) => {
  test.slow()
  expect(payloads.length).toBeGreaterThanOrEqual(60)
  const customer = (await register({}, await newCaller())).page
  const order = await openOrder(customer)
  await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
  const admin = await signInAdmin(page)
  const elsewhere: string[] = []
  admin.on('request', (request) => {
    if (request.url().includes('evil.example')) elsewhere.push(request.url())
  })
  for (const payload of payloads) {
    const id = await recordPayment(admin, payload, 101, `${payload} ${order.invoiceNumber}`)
    await openPayments(admin, id)
    await expect(admin.locator('.payment-detail')).toContainText(payload)
    expect({ payload, wasRun: await wasRun(admin) }).toEqual({ payload, wasRun: false })
  }
  expect(elsewhere).toEqual([])
})
