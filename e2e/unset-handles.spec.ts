import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { openOrder } from './order.ts'

// A fresh installation, where no payment handles are set yet.
test.use({ environment: { JOURNEYS: 'unset-handles', HANDLES: 'unset' } })

test('customers are never asked to pay a sample handle, and the administrator sees what to set @proof', async ({
  page,
  register,
  signInAdmin,
  newPage,
}) => {
  const { page: customer } = await register({}, await newPage())
  const { invoiceNumber } = await openOrder(customer)
  await customer.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(customer.getByRole('radio', { name: /Credit card/ }), 'the method that can be paid').toBeChecked()
  await customer.getByRole('radio', { name: /Cash App/ }).check()
  const panel = customer.getByText('Payment by Cash App is not set up yet. Please do not send money')
  await expect(panel).toBeVisible()
  await expect(customer.getByRole('link', { name: 'Contact Us' }).first()).toHaveAttribute('href', '/contact')
  await expect(customer.getByText(/SauceTVDemo|saucetv-demo|Open Cash App/)).toHaveCount(0)
  await customer.getByRole('radio', { name: /Venmo/ }).check()
  await expect(customer.getByText('Payment by Venmo is not set up yet')).toBeVisible()
  await expectAccessible(customer)
  await customer.goto(`/invoice/${invoiceNumber}`)
  await expect(customer.getByText('Payment by Cash App is not set up yet')).toBeVisible()
  await expect(customer.getByText(/SauceTVDemo|saucetv-demo/)).toHaveCount(0)

  const admin = await signInAdmin(page)
  await admin.goto('/admin')
  await expect(admin.getByText('the Cash App cashtag and the Venmo handle are missing')).toBeVisible()
  await admin.getByRole('link', { name: 'Set Up Payments' }).click()
  await expect(admin.getByText('Set the Cash App cashtag and the Venmo handle below.')).toBeVisible()
  await admin.getByLabel('Cash App cashtag').fill('$KiwiTV')
  await admin.getByLabel('Venmo', { exact: true }).uncheck()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.locator('.toast')).toContainText('Settings saved')
  await admin.goto('/admin')
  await expect(admin.getByRole('tab', { name: /Users/ })).toBeVisible()
  await expect(admin.getByText('Payments are not set up')).toHaveCount(0)

  await customer.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(customer.getByText('$KiwiTV')).toBeVisible()
  await expect(customer.getByRole('radio', { name: /Venmo/ })).toHaveCount(0)
})
