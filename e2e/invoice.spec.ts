import { readFileSync } from 'node:fs'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { decideOrder, openOrder, submitOrder } from './order.ts'

test('a missing invoice and an invoice of another customer give the same message @proof', async ({
  page,
  register,
  newCaller,
  allowPageError,
}) => {
  allowPageError(/status of 404/)
  await register()
  const { page: stranger } = await register({}, await newCaller())
  const { invoiceNumber } = await openOrder(stranger)
  const wordsAt = async (number: string) => {
    await page.goto(`/invoice/${number}`)
    await expect(page.getByRole('heading', { name: 'Invoice Not Found' })).toBeVisible()
    await expect(page.getByText('Failed to load invoice', { exact: true })).toBeVisible()
    return (await page.getByRole('main').innerText()).replaceAll(number, '')
  }
  expect(await wordsAt(invoiceNumber)).toBe(await wordsAt('ORD-ZZZZZZ'))
  await page.getByRole('link', { name: 'Return to Invoices' }).click()
  await expect(page).toHaveURL(/\/invoices$/)
})

test('a visitor must log in first, and the old URL of an invoice redirects to the new one @proof', async ({
  page,
  register,
  request,
}) => {
  await page.goto('/invoice/ORD-ABC234')
  await expect(page).toHaveURL(/\/auth\?redirect=%2Finvoice%2FORD-ABC234/)
  await register()
  const { invoiceNumber } = await openOrder(page)
  const old = await request.get(`/invoices/${invoiceNumber}`, { maxRedirects: 0 })
  expect(old.status()).toBe(301)
  await page.goto(`/invoices/${invoiceNumber}`)
  await expect(page.getByRole('heading', { name: `Invoice ${invoiceNumber}` })).toBeVisible()
  await expect(page).toHaveURL(`/invoice/${invoiceNumber}`)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('an invoice and the list of invoices can be read', async ({ page, register }) => {
    await register()
    const { invoiceNumber, plan, price } = await openOrder(page)
    await page.goto('/invoices')
    await expect(page.getByRole('heading', { name: invoiceNumber })).toBeVisible()
    await page.getByRole('link', { name: `View Invoice ${invoiceNumber}` }).click()
    await expect(page.getByRole('heading', { name: `Invoice ${invoiceNumber}` })).toBeVisible()
    await expect(page.getByRole('article')).toContainText(plan.name)
    await expect(page.getByRole('article')).toContainText(price)
  })
})

test('a draft lists all three payment methods and links to the checkout @proof', async ({ page, register }) => {
  const { username } = await register()
  const { invoiceNumber, price } = await openOrder(page)
  await page.goto(`/invoice/${invoiceNumber}`)
  const ways = page.getByRole('region', { name: 'Payment instructions' })
  await expect(ways).toContainText(`Send ${price} to $SauceTVDemo with the note SAUCE: ${invoiceNumber}`)
  await expect(ways).toContainText(`Send ${price} to @saucetv-demo with the note SAUCE: ${invoiceNumber}`)
  await expect(ways).toContainText('A secure payment link will be emailed')
  await expect(page.getByRole('article')).toContainText(username)
  await expect(page.getByRole('article')).toContainText('Email: bill@example.org')
  await page.getByRole('link', { name: 'Continue Checkout' }).first().click()
  await expect(page.getByText('Step 2 of 5')).toBeVisible()
})

const instructions = {
  cashapp: ['$SauceTVDemo', 'SAUCE: '],
  venmo: ['@saucetv-demo', 'SAUCE: ', 'Set the payment to private.'],
  creditcard: ['A secure payment link will be emailed', 'typically within 1 hour', '15 minutes', 'contact support'],
} as const
test('a pending invoice shows the payment instructions for its method @proof', async ({ page, register }) => {
  await register()
  for (const [method, words] of Object.entries(instructions)) {
    const order = await openOrder(page)
    await submitOrder(page, order, { paymentMethod: method as keyof typeof instructions })
    await page.goto(`/invoice/${order.invoiceNumber}`)
    const ways = page.getByRole('region', { name: 'Payment instructions' })
    for (const word of words) await expect(ways).toContainText(word)
    await expect(page.getByRole('link', { name: 'Pay Now' })).toHaveAttribute(
      'href',
      new RegExp(`planId=${order.plan.id}&invoiceNumber=${order.invoiceNumber}`),
    )
  }
})

test('number, recipient, amount and note are copied one by one @proof', async ({ page, context, register }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await register()
  const order = await openOrder(page)
  await submitOrder(page, order, { paymentMethod: 'cashapp' })
  await page.goto(`/invoice/${order.invoiceNumber}`)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Copy ID' }).click()
  await expect(page.getByText('Copied to clipboard', { exact: true })).toBeVisible()
  expect(await copied()).toBe(order.invoiceNumber)
  await page.getByRole('button', { name: 'Copy recipient' }).click()
  await expect(page.getByRole('button', { name: 'Copied! recipient' })).toBeVisible()
  expect(await copied()).toBe('$SauceTVDemo')
  await page.getByRole('button', { name: 'Copy amount' }).click()
  await expect.poll(copied).toBe(order.price.slice(1))
  await page.getByRole('button', { name: 'Copy note' }).click()
  await expect.poll(copied).toBe(`SAUCE: ${order.invoiceNumber}`)
})

test('a payment updates the open invoice without a reload; it prints on one page with its number as the title', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const order = await openOrder(page)
  await submitOrder(page, order, { paymentMethod: 'cashapp' })
  await page.goto(`/invoice/${order.invoiceNumber}`)
  await expect(page.getByText('Paid in full')).toBeHidden()
  const pagesOn = async (format: string) =>
    (await page.pdf({ format })).toString('latin1').match(/\/Type \/Page\b/g)?.length
  expect(await pagesOn('A4')).toBe(1)

  await decideOrder(adminCaller, order.invoiceNumber, 'paid')
  await expect(page.getByText('Paid in full')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Payment instructions' })).toBeHidden()
  await expect(page).toHaveTitle(`Invoice ${order.invoiceNumber} – SauceTV`)
  expect(await pagesOn('A4')).toBe(1)
  expect(await pagesOn('Letter')).toBe(1)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})

test('an invoice is saved as a PDF under its number @proof', async ({ page, register }) => {
  await register()
  const { invoiceNumber } = await openOrder(page)
  await page.goto(`/invoice/${invoiceNumber}`)
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download PDF' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe(`Invoice-${invoiceNumber}.pdf`)
  const { headers, body } = await page.request
    .get(`/invoice/${invoiceNumber}/pdf`)
    .then(async (answer) => ({ headers: answer.headers(), body: await answer.body() }))
  expect(headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="Invoice-${invoiceNumber}.pdf"`,
  })
  expect(readFileSync(await saved.path()).equals(body), 'what was saved is what the server says').toBe(true)
})

test('invoices are searched and split into tabs with counts, and the URL keeps search and tab', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  await page.goto('/invoices')
  await expect(page.getByText('No invoices found', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Browse Plans' })).toHaveAttribute('href', '/pricing')

  const paid = await openOrder(page, 1, 1)
  await submitOrder(page, paid, { paymentMethod: 'cashapp' })
  await decideOrder(adminCaller, paid.invoiceNumber, 'paid')
  const pending = await openOrder(page, 3, 2)
  await submitOrder(page, pending, { paymentMethod: 'venmo' })
  const draft = await openOrder(page, 4, 5)

  await page.reload()
  await expect(page.getByRole('tab', { name: 'All 3' })).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: draft.invoiceNumber })
      .getByRole('link', { name: /Continue Checkout/ }),
  ).toBeVisible()
  await page.getByRole('tab', { name: 'Paid 1' }).click()
  await expect(page).toHaveURL(/tab=paid/)
  await expect(page.getByRole('heading', { name: paid.invoiceNumber })).toBeVisible()
  await expect(page.getByRole('heading', { name: pending.invoiceNumber })).toBeHidden()

  await page.getByRole('searchbox', { name: 'Search invoices' }).fill('BIG beast')
  await expect(page.getByRole('tab', { name: 'Paid 0' })).toBeVisible()
  await expect(page.getByText('No invoices found', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/search=BIG/)
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('BIG beast')
  await page.getByRole('tab', { name: 'Pending 1' }).click()
  await expect(page.getByRole('link', { name: `Pay Now ${pending.invoiceNumber}` })).toHaveAttribute(
    'href',
    new RegExp(`invoiceNumber=${pending.invoiceNumber}`),
  )
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page.getByRole('tab', { name: 'All 3' })).toBeVisible()
})

test('a list that fails to load shows an error and can be retried @proof', async ({
  page,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 500/)
  await register()
  await page.route('**/api/invoices', (route) =>
    route.fulfill({ status: 500, json: { message: 'The list is out of order', code: 'internal' } }),
  )
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Billing' }).click()
  await expect(page.getByText('Error Loading Invoices', { exact: true })).toBeVisible()
  await expect(page.getByText('The list is out of order')).toBeVisible()
  await page.unroute('**/api/invoices')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('No invoices found', { exact: true })).toBeVisible()
})

inEachLook({ height: 900 }, ({ width }) => {
  test('list and invoice are accessible in every state @proof', async ({
    page,
    register,
    adminCaller,
    allowPageError,
  }) => {
    test.slow()
    allowPageError(/status of 404/)
    await register()
    const looksRight = async (path: string, title: string) => {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(title).first()).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await looksRight('/invoices', 'No invoices found')
    const order = await openOrder(page)
    const title = `Invoice ${order.invoiceNumber}`
    await looksRight(`/invoice/${order.invoiceNumber}`, title)
    await submitOrder(page, order, { paymentMethod: 'venmo' })
    await looksRight(`/invoice/${order.invoiceNumber}`, title)
    await decideOrder(adminCaller, order.invoiceNumber, 'paid')
    await looksRight(`/invoice/${order.invoiceNumber}`, title)
    await looksRight('/invoices', order.invoiceNumber)
    await looksRight('/invoices?search=zzz', 'No invoices found')
    await looksRight('/invoice/ORD-ZZZZZZ', 'Invoice Not Found')
  })
})
