import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { openOrder, submitOrder } from './order.ts'
import { openPayments, paymentRow, recordPayment } from './payments.ts'

test('by keyboard alone: record a payment, confirm it, undo it, and hold a partial payment by pressing Enter twice', async ({
  page,
  register,
  newPage,
  signInAdmin,
}) => {
  const customer = (await register({}, await newPage())).page
  const order = await openOrder(customer)
  await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
  await customer.goto(`/invoice/${order.invoiceNumber}`)
  await expect(customer.getByText('We will check your payment')).toContainText('at the latest.')
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
  await expect(paymentRow(admin, payer)).toContainText('Exact match')
  await expect(customer.getByText('We found your payment:')).toBeVisible()
  await expectAccessible(customer)
  await expect(admin.getByText('left, promised within')).toBeVisible()
  await expect(admin.getByText('All four match').or(admin.getByText('3 of 4 match'))).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'What this does' })).toBeVisible()
  await expect(admin.getByText(`${order.invoiceNumber} is paid.`)).toBeVisible()

  await paymentRow(admin, payer).focus()
  await admin.keyboard.press('Enter')
  await expect(admin.locator('.toast')).toContainText(`Confirmed: ${order.price} from ${payer}`)
  await expect(paymentRow(admin, payer)).toHaveCount(0)
  await admin.getByRole('tab', { name: 'Done' }).click()
  await paymentRow(admin, payer).focus()
  await admin.keyboard.press('u')
  await expect(admin.locator('.toast')).toContainText('Undone')
  await expect(paymentRow(admin, payer)).toContainText('Exact match')

  const short = `Short ${randomUUID().slice(0, 6)}`
  await openPayments(admin, await recordPayment(admin, short, order.plan.price - 500, order.invoiceNumber))
  await paymentRow(admin, short).focus()
  const decisions = admin.getByRole('group', { name: 'Decision' }).getByRole('radio')
  await admin.keyboard.press('2')
  await expect(decisions.nth(1)).toBeChecked()
  await expect(paymentRow(admin, short)).toBeFocused()
  await admin.keyboard.press('1')
  await expect(decisions.first()).toBeChecked()
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('button', { name: 'Press Enter Again' })).toBeVisible()
  await admin.keyboard.press('Enter')
  await expect(admin.locator('.toast')).toContainText('Held')
  await expect(paymentRow(admin, short)).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a payment has its own page with a Back button, and its money can be sent back @proof', async ({
    page,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    const payer = `Phone ${randomUUID().slice(0, 6)}`
    await recordPayment(admin, payer, 1_234, 'who am I')
    await openPayments(admin)
    await paymentRow(admin, payer).click()
    await expect(admin.getByRole('heading', { name: payer })).toBeVisible()
    await expect(paymentRow(admin, payer)).toBeHidden()
    await admin.getByRole('button', { name: 'List' }).click()
    await paymentRow(admin, payer).click()
    await admin.getByText('Send $12.34 back').click()
    await admin.getByRole('button', { name: 'Plan Refund of $12.34' }).click()
    await expect(admin.locator('.toast')).toContainText('Refund planned')
    await admin.getByRole('tab', { name: 'Refunds to send' }).click()
    await paymentRow(admin, payer).click()
    await admin.getByRole('button', { name: 'Mark Refund as Sent' }).click()
    await admin.getByLabel('Transaction number').fill('#R-100')
    await admin.getByRole('button', { name: 'Mark as Sent' }).click()
    await expect(admin.locator('.toast')).toContainText('$12.34 was sent back')
  })
})

test('automatic confirmation is switched to shadow mode and off again, and cannot be turned on yet @proof', async ({
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
  test('the desk is accessible and does not scroll sideways', async ({ page, signInAdmin, register, newCaller }) => {
    const customer = (await register({}, await newCaller())).page
    const order = await openOrder(customer)
    const admin = await signInAdmin(page)
    await openPayments(admin, await recordPayment(admin, 'Axe Person', order.plan.price - 1, order.invoiceNumber))
    await expect(admin.getByText('You can undo it')).toBeVisible()
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await openPayments(admin)
    await expectAccessible(admin)
  })
})
