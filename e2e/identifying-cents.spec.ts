import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { dollars, planOf, sendWrite } from './order.ts'

async function useCents(admin: Caller, identifyingCents: boolean): Promise<void> {
  const address = '/api/admin/settings/payments'
  const { version, value } = await (await admin.request.get(address)).json()
  await sendWrite(admin, 'put', address, { version, value: { ...value, identifyingCents } })
}

// Orders of other specs on this app have no payment code.
test.afterEach(({ adminCaller }) => useCents(adminCaller, false))

test('an order gets a payment code for Cash App, and the full price for other methods', async ({
  page,
  register,
  adminCaller,
}) => {
  await useCents(adminCaller, true)
  await register()
  const plan = await planOf(page, 2, 2)
  await page.goto(`/checkout?planId=${plan.id}`)
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  const cashApp = page.getByRole('link', { name: 'Open Cash App' })
  const summary = page.getByRole('group').filter({ hasText: 'Your order' })
  await expect(summary).toContainText('Payment code')
  const amountIn = async () => Math.round(Number((await cashApp.getAttribute('href'))!.split('/').at(-1)) * 100)
  const amount = await amountIn()
  expect(amount).toBeLessThan(plan.price)
  expect(amount).toBeGreaterThanOrEqual(plan.price - 29)
  await expect(summary).toContainText(dollars(amount))
  await expect(page.getByText('Send exactly this amount in one payment')).toBeVisible()
  await expectAccessible(page)

  await page.locator('#main').getByText('Venmo', { exact: true }).click()
  await expect(page.getByRole('link', { name: 'Open Venmo' })).toHaveAttribute(
    'href',
    new RegExp(`amount=${(plan.price / 100).toFixed(2)}&`),
  )
  await expect(summary).not.toContainText('Payment code')
  await page.locator('#main').getByText('Cash App', { exact: true }).click()
  await expect(summary).toContainText('Payment code')
  const last = await amountIn()
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeFocused()

  const number = new URL(page.url()).searchParams.get('invoiceNumber')!
  await page.goto(`/invoice/${number}`)
  await expect(page.getByRole('row', { name: /Payment code/ })).toContainText(
    `$0.${String(plan.price - last).padStart(2, '0')}`,
  )
  await expect(page.getByRole('link', { name: 'Open Cash App' })).toHaveAttribute(
    'href',
    new RegExp(`/${(last / 100).toFixed(2)}$`),
  )
})
