import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { buyPlan, decideOrder, dollars, openOrder, requestPlanChange } from './order.ts'

const box = (page: Page) => page.getByLabel('Use my account credit')
const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const creditOf = async (page: Page): Promise<number> =>
  ((await (await page.request.get('/api/account/credit')).json()) as { balance: number }).balance
const invoiceOf = async (page: Page, number: string) =>
  (
    (await (await page.request.get(`/api/invoices/${number}`)).json()) as {
      invoice: { amount: number; paymentMethod: string | null; status: string }
    }
  ).invoice

/** Gives the customer credit: a change to a smaller plan turns the unused value of the larger one into credit. Returns the amount in cents. */
async function earnCredit(
  page: Page,
  admin: Caller,
  from: [tier: number, connections: number],
  to: [tier: number, connections: number],
): Promise<number> {
  await buyPlan(page, admin, ...from)
  const { invoiceNumber } = await requestPlanChange(page, ...to)
  await decideOrder(admin, invoiceNumber, 'paid')
  return creditOf(page)
}

test('when toggling credit fails an error is shown and all input is kept @proof', async ({
  page,
  register,
  adminCaller,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  await register()
  await earnCredit(page, adminCaller, [2, 2], [2, 1])
  const { invoiceNumber } = await openOrder(page, 3, 1)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await page.getByLabel('Confirmation code').fill('typed before')
  await page.route(`**/api/invoices/${invoiceNumber}/credit`, (route) =>
    route.fulfill({ status: 503, json: { message: 'We cannot reach our records right now.', code: 'unavailable' } }),
  )
  await box(page).click()
  await expect(toast(page, 'Your credit could not be changed')).toContainText('We cannot reach our records right now.')
  await expect(box(page)).toBeChecked()
  await expect(page.getByLabel('Confirmation code')).toHaveValue('typed before')
})

test('credit pays part of an order, and every page shows the remaining amount @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const credit = await earnCredit(page, adminCaller, [2, 2], [2, 1])
  const { invoiceNumber, plan } = await openOrder(page, 3, 1)
  const reduced = dollars(plan.price - credit)
  await page.goto(`/invoice/${invoiceNumber}`)
  await expect(box(page)).toBeChecked()
  await expect(page.getByRole('row', { name: /^Account credit/ })).toContainText(`-${dollars(credit)}`)
  await expect(page.getByText(`Choose how to pay ${reduced}:`)).toBeVisible()

  await box(page).uncheck()
  await expect(page.getByText(`Choose how to pay ${dollars(plan.price)}:`)).toBeVisible()
  await expect(page.getByRole('article').getByText('Account credit')).toBeHidden()
  await box(page).check()
  await expect(page.getByText(`Choose how to pay ${reduced}:`)).toBeVisible()
  await page.goto('/invoices')
  await expect(page.getByRole('listitem').filter({ hasText: invoiceNumber })).toContainText(reduced)

  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(page.getByRole('link', { name: 'Open Cash App' })).toHaveAttribute(
    'href',
    new RegExp(`/${reduced.slice(1).replace('.', '\\.')}$`),
  )
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByText(`We look for ${reduced} with the note`)).toBeVisible()
  await page.goto(`/invoice/${invoiceNumber}`)
  await expect(page.getByText('You told us about your payment')).toBeVisible()
  await expect(box(page), 'a submitted payment is not changed any more').toHaveCount(0)
  expect(await creditOf(page)).toBe(credit)
  await decideOrder(adminCaller, invoiceNumber, 'paid')
  await expect(page.getByText('Paid in full')).toBeVisible()
  expect(await creditOf(page)).toBe(0)
})

test('credit that covers an order needs no payment method, is spent once, and the rest remains', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const credit = await earnCredit(page, adminCaller, [4, 5], [1, 1])
  const { invoiceNumber, plan, price } = await openOrder(page, 2, 2)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(page.getByText('Your account credit covers this order')).toBeVisible()
  await expect(page.getByRole('radio')).toHaveCount(0)

  await box(page).uncheck()
  await expect(page.getByRole('radio', { name: 'Cash App' })).toBeChecked()
  await expect(page.getByRole('link', { name: 'Open Cash App' })).toHaveAttribute(
    'href',
    `https://cash.app/$SauceTVDemo/${price.slice(1)}`,
  )
  // This code is too short to be valid, but its field is hidden by the next action.
  await page.getByLabel('Confirmation code').fill('abc')
  await box(page).check()
  await page.getByRole('button', { name: 'Confirm Order' }).click()

  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeFocused()
  await expect(page.getByText('There is nothing left to pay.')).toBeVisible()
  expect(await invoiceOf(page, invoiceNumber)).toMatchObject({ amount: 0, paymentMethod: null, status: 'pending' })
  const account = await page.context().newPage()
  await account.goto(`/invoice/${invoiceNumber}`)
  await expect(account.getByText('There is nothing left to pay.')).toBeVisible()
  await expect(account.getByRole('link', { name: 'Pay Now' })).toHaveCount(0)

  await decideOrder(adminCaller, invoiceNumber, 'paid')
  await expect(page.getByRole('heading', { name: 'Payment confirmed' })).toBeFocused()
  await expect(account.getByText('Paid in full')).toBeVisible()
  expect(await creditOf(page)).toBe(credit - plan.price)
})

test('a plan change is paid with credit too, and needs a payment again when the credit is kept @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  await earnCredit(page, adminCaller, [4, 5], [1, 1])
  const { invoiceNumber, amount } = await requestPlanChange(page, 1, 2)
  const checkout = await page.context().newPage()
  await checkout.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(checkout.getByRole('heading', { name: 'Payment', exact: true })).toBeVisible()
  await page.goto(`/invoice/${invoiceNumber}`)
  await expect(page.getByText(`Choose how to pay ${dollars(amount)}:`)).toBeVisible()
  await box(page).check()
  await expect(page.getByText('There is nothing left to pay.')).toBeVisible()
  await expect(checkout.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  await box(page).uncheck()
  await expect(page.getByText(`Choose how to pay ${dollars(amount)}:`)).toBeVisible()
  await expect(checkout.getByRole('heading', { name: 'Payment', exact: true })).toBeVisible()
})

test('an administrator who views an invoice has no switch for the customer’s credit @proof', async ({
  page,
  register,
  signInAdmin,
}) => {
  await register()
  const admin = await signInAdmin()
  await earnCredit(page, admin, [2, 2], [2, 1])
  const { invoiceNumber } = await openOrder(page, 3, 1)
  await admin.goto(`/invoice/${invoiceNumber}`)
  await expect(admin.getByRole('region', { name: 'Payment instructions' })).toBeVisible()
  await expect(box(admin)).toHaveCount(0)
})

inEachLook({ height: 844 }, ({ width }) => {
  test('checkout and invoice are accessible with credit used and kept @proof', async ({
    page,
    register,
    adminCaller,
  }) => {
    await register()
    await earnCredit(page, adminCaller, [4, 5], [1, 1])
    const { invoiceNumber } = await openOrder(page, 2, 2)
    for (const path of [`/checkout?invoiceNumber=${invoiceNumber}`, `/invoice/${invoiceNumber}`]) {
      await page.goto(path)
      await box(page).uncheck()
      await expect(page.getByRole('main').getByText('-$', { exact: false })).toHaveCount(0)
      await expectAccessible(page)
      await box(page).check()
      await expect(page.getByText(/covers this order|There is nothing left to pay/).first()).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
})
