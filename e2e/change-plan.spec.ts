import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { buyPlan, decideOrder, dollars, openInvoiceDialog, planOf, requestPlanChange } from './order.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Subscription', exact: true })
const chooser = (page: Page) => page.getByRole('region', { name: 'Change Plan' })
const dialog = (page: Page) => page.getByRole('dialog', { name: /^(Upgrade|Change) Your Subscription$/ })
const chooseLength = (page: Page, length: string) => chooser(page).getByRole('radio', { name: length }).check()
const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const confirmButton = (page: Page) => dialog(page).getByRole('button', { name: 'Confirm Change' })
const unavailable = { status: 503, json: { message: 'We cannot reach our records right now.', code: 'unavailable' } }

test('a failed price calculation shows an error and can be retried; until then nothing can be confirmed @proof', async ({
  page,
  register,
  adminCaller,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  await register()
  await buyPlan(page, adminCaller)
  let asked = 0
  await page.route('**/api/change-subscription', (route) => {
    asked += 1
    return route.continue()
  })
  await page.route('**/api/change-subscription/quote?*', (route) => route.fulfill(unavailable))
  await page.goto('/dashboard')
  await chooseLength(page, '6 months')
  await page.getByRole('button', { name: /^Upgrade to Big Beast: 6 Months, 4 Connections/ }).click()
  await expect(dialog(page).getByRole('alert')).toContainText(
    'The price of this change could not be calculated. We cannot reach our records right now.',
  )
  await expect(confirmButton(page)).toHaveAttribute('aria-disabled', 'true')
  await confirmButton(page).press('Enter')

  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.unroute('**/api/change-subscription/quote?*')
  await page.route('**/api/change-subscription/quote?*', async (route) => {
    await held
    await route.continue()
  })
  await dialog(page).getByRole('button', { name: 'Retry' }).click()
  await confirmButton(page).press('Enter')
  answer()
  await expect(dialog(page).getByText('To pay for this change')).toBeVisible()
  await expect(confirmButton(page)).toHaveAttribute('aria-disabled', 'false')
  expect(asked, 'no change was requested').toBe(0)
})

test('a refused change keeps the dialog open with the reason, and can be repeated @proof', async ({
  page,
  register,
  adminCaller,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  await register()
  await buyPlan(page, adminCaller)
  await page.goto('/dashboard')
  await page.route('**/api/change-subscription', (route) => route.fulfill(unavailable))
  await page.getByRole('button', { name: /^Upgrade to Beast: 3 Months, 3 Connections/ }).click()
  await confirmButton(page).click()
  await expect(toast(page, 'Failed to change subscription')).toContainText('We cannot reach our records right now.')
  await expect(dialog(page).getByRole('alert')).toContainText('We cannot reach our records right now.')
  await page.unroute('**/api/change-subscription')
  await confirmButton(page).click()
  await expect(toast(page, 'Subscription change requested')).toBeVisible()
})

test('a plan change requested in another tab hides the list, and a second request is refused with a clear message @proof', async ({
  page,
  register,
  adminCaller,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  await register()
  await buyPlan(page, adminCaller)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Upgrade to Beast: 3 Months, 3 Connections/ }).click()
  await expect(confirmButton(page)).toHaveAttribute('aria-disabled', 'false')
  const { invoiceNumber } = await requestPlanChange(page, 4, 1)
  await confirmButton(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText('A plan change is already waiting for approval.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(chooser(page)).toHaveCount(0)
  await expect(panel(page)).toContainText(invoiceNumber)
})

test('an upgrade is explained, requested, and shown on the open page as soon as an administrator confirms it', async ({
  page,
  register,
  signInAdmin,
}) => {
  await register()
  const admin = await signInAdmin()
  const { plan } = await buyPlan(page, admin)
  const next = await planOf(page, 3, 4)
  await page.goto('/dashboard')
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))
  await expect(chooser(page).getByRole('listitem')).toHaveCount(4)
  await expect(chooser(page).getByText(plan.name, { exact: true })).toHaveCount(0)

  await chooseLength(page, `6 months ${dollars((await planOf(page, 3, 2)).price)}`)
  await chooser(page)
    .getByRole('button', { name: `Upgrade to ${next.name}, ${dollars(next.price)} for 6 months` })
    .click()
  await expect(dialog(page)).toHaveAccessibleName('Upgrade Your Subscription')
  const difference = next.price - plan.price
  for (const text of [
    'A pro-rated invoice is created, and an administrator must approve the change before it takes effect.',
    `Current price${dollars(plan.price)} per 3 months${plan.name}`,
    `New price${dollars(next.price)} per 6 months${next.name}`,
    `Price difference+${dollars(difference)}`,
    'You get 4 screens at once',
    `To pay for this change${dollars(difference)}`,
    'A new period starts when the change is paid.',
    `${next.name} costs ${dollars(next.price)}. Less ${dollars(plan.price)} for your unused`,
  ])
    await expect(dialog(page)).toContainText(text)
  await expect(dialog(page)).not.toContainText('You no longer get 2 screens')
  await confirmButton(page).click()

  await expect(toast(page, 'Subscription change requested')).toContainText(
    'Your subscription change request has been submitted and is pending approval.',
  )
  await expect(dialog(page)).toBeHidden()
  await expect(chooser(page)).toHaveCount(0)
  await expect(panel(page)).toContainText('Plan change awaiting approval.')
  const [invoice] = (await (await page.request.get('/api/invoices')).json()) as {
    invoiceNumber: string
    amount: number
    description: string
  }[]
  expect(invoice).toMatchObject({
    amount: difference,
    description: `Subscription change: ${plan.name} to ${next.name}`,
  })
  await expect(panel(page).getByRole('link', { name: invoice!.invoiceNumber })).toHaveAttribute(
    'href',
    `/invoice/${invoice!.invoiceNumber}`,
  )
  await expect(panel(page).getByRole('link', { name: 'View Pending Invoices' })).toHaveAttribute('href', '/invoices')

  await admin.goto(`/admin?tab=invoices&search=${invoice!.invoiceNumber}`)
  const decision = await openInvoiceDialog(admin, admin.getByRole('button', { name: /^Confirm Payment/ }))
  await decision.getByRole('button', { name: 'Confirm Payment' }).click()
  await expect(admin.getByText('Invoice updated')).toBeVisible()

  await expect(panel(page).getByRole('heading', { name: next.name })).toBeVisible()
  await expect(panel(page)).toContainText('per 6 months')
  await expect(panel(page)).not.toContainText('Plan change awaiting approval.')
  await chooseLength(page, '3 months')
  await expect(chooser(page).getByRole('button', { name: new RegExp(`^Downgrade to ${plan.name}`) })).toBeVisible()
  await expect(page.locator('body[data-same-page]')).toHaveCount(1)
})

test('a cheaper plan of the same length gives credit when it is approved @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  const { plan } = await buyPlan(page, adminCaller)
  const next = await planOf(page, 2, 1)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: new RegExp(`^Downgrade to ${next.name}`) }).click()
  await expect(dialog(page)).toHaveAccessibleName('Change Your Subscription')
  const credit = dollars(plan.price - next.price)
  for (const text of [
    `Price difference-${credit}`,
    `Becomes account credit${credit}`,
    'Your end date stays',
    'becomes account credit when an administrator approves',
  ])
    await expect(dialog(page)).toContainText(text)
  await confirmButton(page).click()
  await expect(panel(page)).toContainText('for $0.00 is pending')
  const [invoice] = (await (await page.request.get('/api/invoices')).json()) as { invoiceNumber: string }[]
  await decideOrder(adminCaller, invoice!.invoiceNumber, 'paid')
  await expect(panel(page).getByRole('heading', { name: next.name })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Referrals' })).toContainText(`${credit} credit`)
})

test('a plan change works with only the keyboard, and the focus is never lost @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  await register()
  await buyPlan(page, adminCaller)
  await page.goto('/dashboard')
  const opener = page.getByRole('button', { name: /^Upgrade to Beast: 3 Months, 3 Connections/ })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(confirmButton(page)).toHaveAttribute('aria-disabled', 'false')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await expect(opener).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(confirmButton(page)).toHaveAttribute('aria-disabled', 'false')
  while (!(await confirmButton(page).evaluate((button) => button === document.activeElement)))
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(panel(page).getByRole('heading', { name: 'Subscription' })).toBeFocused()
})

inEachLook({ height: 844 }, ({ width }) => {
  test('the list and the dialog are accessible while the price loads, after an error and with the price @proof', async ({
    page,
    register,
    adminCaller,
    allowPageError,
  }) => {
    allowPageError(/status of 503/)
    await register()
    await buyPlan(page, adminCaller)
    await page.goto('/dashboard')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    let fail = () => {}
    const held = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route('**/api/change-subscription/quote?*', async (route) => {
      await held
      await route.fulfill(unavailable)
    })
    await chooseLength(page, '12 months')
    await page.getByRole('button', { name: /^Upgrade to The Beast: 12 Months, 5 Connections/ }).click()
    await expect(dialog(page).getByText('Calculating the price')).toBeAttached()
    await expectAccessible(page)
    fail()
    await expect(dialog(page).getByRole('alert')).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/change-subscription/quote?*')
    await dialog(page).getByRole('button', { name: 'Retry' }).click()
    await expect(dialog(page).getByText('To pay for this change')).toBeVisible()
    await expectAccessible(page)
  })
})
