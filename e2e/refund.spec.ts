import type { Page } from '@playwright/test'
import { expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { buyPlan, dollars } from './order.ts'

const test = journey.extend<{ admin: Page }>({
  admin: async ({ newPage, signInAdmin }, use) => use(await signInAdmin(await newPage())),
})
const panelOf = (page: Page) => page.getByRole('region', { name: 'Money-back guarantee' })
const managing = (admin: Page) => admin.getByRole('dialog', { name: 'Manage Invoice Status' })
const approving = (admin: Page) => admin.getByRole('dialog', { name: 'Approve Refund' })

async function requestRefund(
  page: Page,
  invoiceNumber: string,
  reason = 'It stutters on my television.\nEvery evening.',
): Promise<void> {
  await page.goto(`/invoice/${invoiceNumber}`)
  await panelOf(page).getByRole('button', { name: 'Request a Refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request a Refund' })
  await dialog.getByLabel('Why do you want your money back?').fill(reason)
  await dialog.getByRole('button', { name: 'Request Refund' }).click()
  await expect(dialog).toBeHidden()
  await expect(panelOf(page).getByText('You requested a refund')).toBeVisible()
}
async function manage(admin: Page, number: string) {
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await admin.getByRole('button', { name: `Manage ${number}`, exact: true }).click()
  return managing(admin)
}

test('a customer requests a refund, an administrator approves it, and all open pages show the result', async ({
  page,
  register,
  admin,
}) => {
  const { username } = await register()
  const { invoiceNumber, price, plan } = await buyPlan(page, admin)
  await page.goto('/dashboard')
  await expect(page.getByText(/^Money-back guarantee until/)).toBeVisible()
  await page
    .getByRole('region', { name: 'Subscription', exact: true })
    .getByRole('link', { name: `View Invoice ${invoiceNumber}` })
    .click()
  await expect(panelOf(page)).toContainText(`You get ${price} back by the same payment method.`)

  const opener = panelOf(page).getByRole('button', { name: 'Request a Refund' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Request a Refund' })
  await dialog.getByRole('button', { name: 'Request Refund' }).click()
  await expect(dialog.getByLabel('Why do you want')).toHaveAccessibleDescription(/in a few words/)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await requestRefund(page, invoiceNumber)

  await admin.goto('/admin?tab=invoices')
  await expect(admin.getByText(/refund requests? (is|are) waiting for a decision/)).toBeVisible()
  await admin.getByRole('button', { name: 'Show Requests' }).click()
  await expect(admin).toHaveURL(/refund=pending/)
  const row = admin.locator('tbody').getByRole('row').filter({ hasText: invoiceNumber })
  await expect(row).toContainText('refund requested')
  await row.getByRole('button', { name: `Manage ${invoiceNumber}` }).click()
  await expect(managing(admin)).toContainText('It stutters on my television.')
  await managing(admin).getByLabel('Status').selectOption('cancelled')
  await expect(managing(admin).getByRole('region', { name: 'What this does' })).toContainText(
    'Approve or decline it first',
  )
  await managing(admin).getByLabel('Status').selectOption('paid')

  await managing(admin).getByRole('button', { name: 'Approve Refund' }).click()
  await expect(approving(admin)).toContainText(`Pay ${price} back manually by Cash App.`)
  await expect(approving(admin).getByRole('region', { name: 'What this does' })).toContainText(`${plan.name} (active)`)
  await expect(approving(admin)).toContainText('A credit note is issued')
  await approving(admin).getByRole('button', { name: 'Approve Refund' }).click()
  await expect(approving(admin).getByLabel('Refund payment reference')).toHaveAccessibleDescription(
    /enter the reference/,
  )
  await approving(admin).getByLabel('Refund payment reference').fill('CASH-778')
  await approving(admin).getByRole('button', { name: 'Approve Refund' }).click()
  await expect(admin.locator('.toast')).toContainText(`${username} is notified by email`)
  await expect(managing(admin)).toBeHidden()

  // The customer's open page is updated.
  await expect(panelOf(page)).toContainText(`${price} returned by the same payment method`)
  await expect(page.getByRole('main').getByText('Refunded').first()).toBeVisible()
  await panelOf(page)
    .getByRole('link', { name: /View Credit Note CN-/ })
    .click()
  const creditNote = page.getByRole('article', { name: /^Credit note CN-/ })
  for (const word of [invoiceNumber, 'CASH-778', username, `-${price}`]) await expect(creditNote).toContainText(word)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/^Credit-Note-CN-\d{6}\.pdf$/)
  await page.getByRole('link', { name: `Back to Invoice ${invoiceNumber}` }).click()
  await expect(page.getByRole('heading', { name: `Invoice ${invoiceNumber}` })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('No Active Subscription')).toBeVisible()
})

test('a declined refund shows the reason and cannot be requested again @proof', async ({ page, register, admin }) => {
  await register()
  const { invoiceNumber } = await buyPlan(page, admin)
  await requestRefund(page, invoiceNumber)
  const dialog = await manage(admin, invoiceNumber)
  await dialog.getByRole('button', { name: 'Decline Refund' }).click()
  const declining = admin.getByRole('dialog', { name: 'Decline Refund' })
  await declining.getByRole('button', { name: 'Decline Refund' }).click()
  await expect(declining.getByLabel('Reason for the customer')).toHaveAccessibleDescription(/at least 3 characters/)
  await declining.getByLabel('Reason for the customer').fill('We refunded you in spring already.')
  await declining.getByRole('button', { name: 'Decline Refund' }).click()
  await expect(dialog).toBeHidden()
  await expect(panelOf(page)).toContainText('We refunded you in spring already.')
  await expect(panelOf(page).getByRole('button')).toHaveCount(0)
})

test('the second administrator to decide sees who decided first, at the latest in the response, and the input is kept @proof', async ({
  page,
  register,
  admin,
  newPage,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const { username } = await register()
  const { invoiceNumber, plan } = await buyPlan(page, admin)
  await requestRefund(page, invoiceNumber)
  const [live, outdated] = [await signInAdmin(await newPage()), await signInAdmin(await newPage())]
  for (const each of [admin, live, outdated]) {
    await (await manage(each, invoiceNumber)).getByRole('button', { name: 'Approve Refund' }).click()
    await approving(each).getByLabel('Refund payment reference').fill('CASH-1')
  }
  // This page no longer reloads data after notifications. It gets only the responses to its own writes.
  await outdated.route('**/api/admin/**', (route) =>
    route.request().method() === 'GET' ? undefined : route.continue(),
  )
  await approving(admin).getByRole('button', { name: 'Approve Refund' }).click()
  await expect(approving(admin)).toBeHidden()

  const decidedFirst = /decided first: this refund is already approved/
  await expect(approving(live).getByText(decidedFirst)).toBeVisible()
  await expect(approving(live).getByRole('button', { name: 'Approve Refund' })).toBeDisabled()
  await expect(approving(live).getByLabel('Refund payment reference')).toHaveValue('CASH-1')
  await approving(outdated).getByRole('button', { name: 'Approve Refund' }).click()
  await expect(approving(outdated).getByText(decidedFirst)).toBeVisible()
  await outdated.unrouteAll({ behavior: 'ignoreErrors' })
  await live.goto(`/admin?tab=subscriptions&search=${username}`)
  await expect(live.locator('tbody').getByRole('row').filter({ hasText: username })).not.toContainText(plan.name)
})

test('after the guarantee period the invoice shows when it ended @proof', async ({ page, register, admin }) => {
  await register()
  const order = await buyPlan(page, admin)
  await page.route('**/api/refunds', async (route) => {
    const [payment] = (await (await route.fetch()).json()) as object[]
    await route.fulfill({
      json: [{ ...payment, refusal: 'The money-back guarantee of this invoice ended on November 20, 2026.' }],
    })
  })
  await page.goto('/invoices')
  await page.getByRole('link', { name: `View Invoice ${order.invoiceNumber}` }).click()
  await expect(panelOf(page)).toContainText('ended on November 20, 2026.')
  await expect(panelOf(page).getByRole('button')).toHaveCount(0)
})

inEachLook({ height: 900 }, () => {
  test('request, decision and credit note are accessible and fit the screen @proof', async ({
    page,
    register,
    admin,
  }) => {
    const fits = async (each: Page) => {
      await expectAccessible(each)
      expect(
        await each.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
        'no sideways scrolling',
      ).toBe(true)
    }
    await register()
    const { invoiceNumber, plan } = await buyPlan(page, admin)
    await page.goto('/dashboard')
    await expect(page.getByText(/^Money-back guarantee until/)).toBeVisible()
    await fits(page)
    await page.goto(`/invoice/${invoiceNumber}`)
    await panelOf(page).getByRole('button', { name: 'Request a Refund' }).click()
    await expect(page.getByRole('dialog', { name: 'Request a Refund' })).toBeVisible()
    await fits(page)
    await requestRefund(page, invoiceNumber)
    await fits(page)
    await admin.goto('/admin?tab=invoices&refund=pending')
    await expect(admin.getByText(/refund requests? (is|are) waiting for a decision/)).toBeVisible()
    await fits(admin)
    const dialog = await manage(admin, invoiceNumber)
    await expect(dialog.getByText('Refund request', { exact: false }).first()).toBeVisible()
    await fits(admin)
    await dialog.getByRole('button', { name: 'Approve Refund' }).click()
    await expect(approving(admin)).toContainText('A credit note is issued')
    await fits(admin)
    await approving(admin).getByLabel('Refund payment reference').fill('CASH-778')
    await approving(admin).getByRole('button', { name: 'Approve Refund' }).click()
    await expect(panelOf(page)).toContainText(dollars(plan.price))
    await fits(page)
    await panelOf(page)
      .getByRole('link', { name: /View Credit Note/ })
      .click()
    await expect(page.getByRole('article', { name: /^Credit note/ })).toBeVisible()
    await fits(page)
  })
})
