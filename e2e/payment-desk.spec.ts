import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { openOrder, submitOrder } from './order.ts'

/** Records a payment without the page. Amounts are cents. */
async function record(admin: Caller, origin: string, payerName: string, amount: number, note: string): Promise<number> {
  const data = {
    ...{ requestKey: randomUUID(), rail: 'cashapp', amount, payerName, payerHandle: '', note },
    ...{ paidAt: new Date().toISOString(), providerReference: '' },
  }
  const response = await admin.request.post('/api/admin/payments', { data, headers: { origin } })
  expect(response.ok(), await response.text()).toBe(true)
  return ((await response.json()) as { id: number }).id
}

const row = (admin: Page, payer: string) => admin.locator('.payment-row', { hasText: payer })
const open = async (admin: Page, payment?: number) => {
  await admin.goto(payment ? `/admin/payments?payment=${payment}` : '/admin/payments')
  await expect(admin.locator(payment ? '.payment-detail' : '.payment-row').first()).toBeVisible()
}

test('by keyboard alone: type a payment in, confirm it, undo it, and decide a part payment with Enter twice', async ({
  page,
  app,
  register,
  newPage,
  signInAdmin,
}) => {
  const customer = (await register({}, await newPage())).page
  const order = await openOrder(customer)
  await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
  await customer.goto(`/invoice/${order.invoiceNumber}`)
  await expect(customer.getByText('We check your payment')).toContainText('at the latest.')
  const admin = await signInAdmin(page)
  const payer = `Key ${randomUUID().slice(0, 6)}`
  await admin.goto('/admin/payments')
  await admin.getByRole('button', { name: 'Record Payment' }).focus()
  await admin.keyboard.press('Enter')
  await admin.getByLabel('Amount in dollars').focus()
  await admin.keyboard.type(order.price.slice(1))
  await admin.getByLabel("Payer's name").focus()
  await admin.keyboard.type(payer)
  await admin.getByLabel('Note').focus()
  await admin.keyboard.type(`SAUCE: ${order.invoiceNumber}`)
  await admin.keyboard.press('Enter')
  await expect(row(admin, payer)).toContainText('Exact match')
  await expect(customer.getByText('We found your payment:')).toBeVisible()
  await expectAccessible(customer)
  await expect(admin.getByText('All four match').or(admin.getByText('3 of 4 match'))).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'What this does' })).toBeVisible()
  await expect(admin.getByText(`${order.invoiceNumber} is paid.`)).toBeVisible()

  await row(admin, payer).focus()
  await admin.keyboard.press('Enter')
  await expect(admin.locator('.toast')).toContainText(`Confirmed: ${order.price} from ${payer}`)
  await expect(row(admin, payer)).toHaveCount(0)
  await admin.getByRole('tab', { name: 'Done' }).click()
  await row(admin, payer).focus()
  await admin.keyboard.press('u')
  await expect(admin.locator('.toast')).toContainText('Undone')
  await expect(row(admin, payer)).toContainText('Exact match')

  const short = `Short ${randomUUID().slice(0, 6)}`
  await open(admin, await record(admin, app.url, short, order.plan.price - 500, order.invoiceNumber))
  await row(admin, short).focus()
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('button', { name: 'Press Enter Again' })).toBeVisible()
  await admin.keyboard.press('Enter')
  await expect(admin.locator('.toast')).toContainText('Held')
  await expect(row(admin, short)).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a payment is a page of its own, with Back, and its money can be sent back @proof', async ({
    page,
    app,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    const payer = `Phone ${randomUUID().slice(0, 6)}`
    await record(admin, app.url, payer, 1_234, 'who am I')
    await open(admin)
    await row(admin, payer).click()
    await expect(admin.getByRole('heading', { name: payer })).toBeVisible()
    await expect(row(admin, payer)).toBeHidden()
    await admin.getByRole('button', { name: 'List' }).click()
    await row(admin, payer).click()
    await admin.getByText('Send $12.34 back').click()
    await admin.getByRole('button', { name: 'Plan Refund of $12.34' }).click()
    await expect(admin.locator('.toast')).toContainText('Refund planned')
    await admin.getByRole('tab', { name: 'Refunds to send' }).click()
    await row(admin, payer).click()
    await admin.getByRole('button', { name: 'Mark Refund as Sent' }).click()
    await admin.getByLabel('Transaction number').fill('#R-100')
    await admin.getByRole('button', { name: 'Mark as Sent' }).click()
    await expect(admin.locator('.toast')).toContainText('$12.34 was sent back')
  })
})

test('automatic confirmation is turned to shadow mode and off again, and cannot be turned on yet @proof', async ({
  page,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  await admin.goto('/admin/payments')
  const button = admin.getByRole('button', { name: /^Automatic:/ })
  await button.click()
  const dialog = admin.getByRole('dialog', { name: 'Automatic Confirmation' })
  await expect(dialog.getByRole('radio', { name: /^On/ })).toBeDisabled()
  await dialog.getByLabel('Largest payment in dollars').fill('none')
  await dialog.getByRole('radio', { name: /^Shadow mode/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter an amount such as 100.00')).toBeVisible()
  await dialog.getByLabel('Largest payment in dollars').fill('250')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(button).toContainText('shadow mode (0 of 30)')
  await button.click()
  await expect(dialog.getByLabel('Largest payment in dollars')).toHaveValue('250.00')
  await dialog.getByRole('radio', { name: /^Off/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(button).toContainText('Automatic: off')
})

inEachLook({ widths: [390, 1440], height: 900 }, ({ width }) => {
  test('the desk is accessible and does not scroll sideways', async ({
    page,
    app,
    signInAdmin,
    register,
    newCaller,
  }) => {
    const customer = (await register({}, await newCaller())).page
    const order = await openOrder(customer)
    const admin = await signInAdmin(page)
    await open(admin, await record(admin, app.url, 'Axe Person', order.plan.price - 1, order.invoiceNumber))
    await expect(admin.getByText('You can undo it')).toBeVisible()
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await open(admin)
    await expectAccessible(admin)
  })
})
