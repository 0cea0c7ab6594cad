import { expect, test } from '../test/harness/browser.ts'
import { sampled } from '../test/harness/scale.ts'
import { holdScripts } from './hold-scripts.ts'
import { decideOrder, openOrder, planOf, submitOrder } from './order.ts'

const inaccessible = { 'an order of someone else': true, 'an unknown order number': false }
for (const [what, exists] of sampled(Object.entries(inaccessible), 2)) {
  test(`${what} in the URL starts at the details with a message @proof`, async ({
    page,
    register,
    newCaller,
    allowPageError,
  }) => {
    allowPageError(/status of 404/)
    await register()
    const { page: stranger } = await register({}, await newCaller())
    const number = exists ? (await openOrder(stranger)).invoiceNumber : 'ORD-ZZZZZZ'
    await page.goto(`/checkout?invoiceNumber=${number}`)
    await expect(page.getByText(`We could not find order ${number}.`)).toBeVisible()
    await expect(page.getByText('Step 1 of 5')).toBeVisible()
  })
}

test('a canceled order cannot be paid: the page explains this and starts a new one @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const order = await openOrder(page)
  await decideOrder(adminCaller, order.invoiceNumber, 'cancelled')
  await page.goto(`/checkout?invoiceNumber=${order.invoiceNumber}`)
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit Payment' })).toBeHidden()
  await page.getByRole('link', { name: 'Start a New Order' }).click()
  await expect(page.getByText('Step 1 of 5')).toBeVisible()
  await expect(page.getByLabel('Plan')).toHaveValue(String(order.plan.id))
})

test('a draft is restored at the payment step, with its email and a welcome message @proof', async ({
  page,
  register,
}) => {
  await register()
  const { invoiceNumber } = await openOrder(page)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(page.getByText('Welcome back!', { exact: true })).toBeVisible()
  await expect(page.getByText('Your checkout information has been restored.')).toBeVisible()
  await expect(page.getByText('Step 2 of 5')).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('bill@example.org')
})

test('Back keeps everything, the same plan keeps the order, another plan opens another order', async ({
  page,
  register,
}) => {
  await register()
  const plan = await planOf(page, 2, 2)
  const bigger = await planOf(page, 3, 4)
  await page.goto(`/checkout?planId=${plan.id}`)
  await page.getByLabel('Email').fill('mine@example.org')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page).toHaveURL(/invoiceNumber=/)
  const first = new URL(page.url()).searchParams.get('invoiceNumber') ?? ''
  await page.getByLabel('Confirmation code').fill('kept-code')

  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByLabel('Plan')).toHaveValue(String(plan.id))
  await expect(page.getByLabel('Email')).toHaveValue('mine@example.org')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByLabel('Confirmation code')).toHaveValue('kept-code')
  await expect(page).toHaveURL(new RegExp(first))

  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByLabel('Plan').selectOption(String(bigger.id))
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page).not.toHaveURL(new RegExp(first))
  const second = new URL(page.url()).searchParams.get('invoiceNumber') ?? ''
  await expect(page.getByLabel('Payment note')).toHaveValue(`SAUCE: ${second}`)
})

test('choosing a card clears code and note, choosing an app sets the note again, and both are announced @proof', async ({
  page,
  register,
}) => {
  await register()
  const { invoiceNumber } = await openOrder(page)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await page.getByLabel('Confirmation code').fill('gone-soon')
  await page.getByText('Credit card', { exact: true }).click()
  await expect(page.getByText('Confirmation code and note were cleared').first()).toBeVisible()
  await page.locator('#main').getByText('Venmo', { exact: true }).click()
  await expect(page.getByText(`The payment note was set to “SAUCE: ${invoiceNumber}”.`).first()).toBeVisible()
  await expect(page.getByLabel('Confirmation code')).toHaveValue('')
  await expect(page.getByLabel('Payment note')).toHaveValue(`SAUCE: ${invoiceNumber}`)
})

test('choices and input made before the scripts load are kept', async ({ page, register }) => {
  await register()
  const { invoiceNumber } = await openOrder(page)
  const releaseScripts = await holdScripts(page)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`, { waitUntil: 'commit' })
  await page.locator('#main').getByText('Venmo', { exact: true }).click()
  await page.getByLabel('Confirmation code').fill('quick-hands')
  await page.getByLabel('Payment note').fill('typed early')
  releaseScripts()
  await expect(page.getByRole('link', { name: 'Open Venmo' })).toBeVisible()
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  const { invoice } = (await (await page.request.get(`/api/invoices/${invoiceNumber}`)).json()) as { invoice: object }
  expect(invoice).toMatchObject({ paymentMethod: 'venmo', confirmationCode: 'quick-hands', paymentNote: 'typed early' })
})

test('a submitted payment is restored at the processing step, a paid one at the last step @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const order = await openOrder(page)
  await submitOrder(page, order, { paymentMethod: 'cashapp', paymentNote: `SAUCE: ${order.invoiceNumber}` })
  await page.goto(`/checkout?invoiceNumber=${order.invoiceNumber}`)
  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  await decideOrder(adminCaller, order.invoiceNumber, 'paid')
  await expect(page.getByRole('heading', { name: 'Payment confirmed' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Payment confirmed' })).toBeVisible()
})

test('an order canceled while its customer waits shows this without a reload @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const order = await openOrder(page)
  await submitOrder(page, order, { paymentMethod: 'cashapp' })
  await page.goto(`/checkout?invoiceNumber=${order.invoiceNumber}`)
  await expect(page.getByText('Connected: the approval will appear here immediately.')).toBeVisible()
  await decideOrder(adminCaller, order.invoiceNumber, 'cancelled')
  await expect(page.getByRole('heading', { name: 'This order was cancelled' })).toBeVisible()
})

test('without a WebSocket the waiting page polls every ten seconds @proof', async ({ page, register, adminCaller }) => {
  await register()
  const order = await openOrder(page)
  await submitOrder(page, order, { paymentMethod: 'cashapp' })
  await page.routeWebSocket('**/ws', (socket) => void socket.close())
  await page.clock.install()
  await page.goto(`/checkout?invoiceNumber=${order.invoiceNumber}`)
  await expect(page.getByText('Checking for updates every 10 seconds.')).toBeVisible()
  await decideOrder(adminCaller, order.invoiceNumber, 'paid')
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('heading', { name: 'Payment confirmed' })).toBeVisible()
})
