import type { Page } from '@playwright/test'
import { type Caller, type Customer, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { decideOrder, openOrder, sendWrite, submitOrder } from './order.ts'

const trialRequest = {
  device: 'Fire TV in the kitchen',
  message: 'Hockey in the evening,\nand the news in the morning.',
}
const granted = () => ({
  status: 'approved',
  trialUsername: 'trial-user-77',
  trialPassword: 'secret-mango-77',
  trialServer: 'javascript:alert(1)',
  expiryDate: new Date(Date.now() + 24 * 3_600_000).toISOString(),
})
const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const card = (page: Page, name = 'Your Trial Request') => page.getByRole('region', { name })
const button = (page: Page) => page.getByRole('button', { name: 'Request Trial' })

const requestTrial = ({ page }: Customer) => sendWrite(page, 'post', '/api/trial-requests', trialRequest)
async function decide(admin: Caller, { username }: Customer, decision: object): Promise<void> {
  const [request] = (await (await admin.request.get(`/api/admin/trial-requests?search=${username}`)).json()) as {
    id: number
  }[]
  await sendWrite(admin, 'put', `/api/admin/trial-requests/${request?.id}`, decision)
}

async function fillAndSend(page: Page, { device, message } = trialRequest): Promise<void> {
  await page.getByLabel('Device').fill(device)
  await page.getByLabel('Message').fill(message)
  await button(page).click()
}

test('a signed-out visitor must log in and returns to the form @proof', async ({ page, register }) => {
  const { username, password } = await register()
  await page.context().clearCookies()
  await page.goto('/request-trial')
  await expect(page).toHaveURL('/auth?redirect=%2Frequest-trial')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(page).toHaveURL('/request-trial')
  await expect(page.getByRole('heading', { name: 'Request a Free Trial', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Trials typically last 24-48 hours')
})

test('the form shows errors only after the first submit, and keeps the input @proof', async ({ page, register }) => {
  await register()
  await page.goto('/request-trial')
  await fillAndSend(page, { device: 'TV', message: 'Please' })
  await expect(page.getByLabel('Device')).toHaveAccessibleDescription(
    /^Please specify what device you'll use for the trial/,
  )
  await expect(page.getByLabel('Message')).toHaveAccessibleDescription(
    /^Please provide some details about why you want a trial/,
  )
  await expect(page.getByText('There is a problem').locator('../..')).toBeFocused()
  await expect(page.getByLabel('Device')).toHaveValue('TV')
  await expect(page.getByLabel('Message')).toHaveValue('Please')
})

test('a request replaces the form with its confirmation, which updates without a reload when the request is decided', async ({
  page,
  register,
  adminCaller,
}) => {
  const person = await register()
  await page.goto('/request-trial')
  await fillAndSend(page)
  await expect(toast(page, 'Trial Request Submitted')).toBeVisible()
  const confirmation = card(page, 'Trial Request Submitted')
  await expect(confirmation).toBeFocused()
  await expect(confirmation).toContainText("We'll review your request as soon as possible")
  await expect(confirmation.getByText('Pending')).toBeVisible()
  for (const text of [trialRequest.device, 'Hockey in the evening']) await expect(confirmation).toContainText(text)
  await expect(button(page)).toHaveCount(0)
  await expect(confirmation.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', '/contact')
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))

  await decide(adminCaller, person, { status: 'denied', adminNotes: 'One trial a household.\nWrite to us.' })
  await expect(card(page)).toContainText('One trial a household.')
  await expect(card(page).getByText('Denied')).toBeVisible()
  await expect(card(page)).toContainText('Reviewed on')
  await expect(page.locator('body[data-same-page]')).toHaveCount(1)
})

test('an approved trial hides its credentials until revealed, lets them be copied, and removes them when it ends', async ({
  page,
  context,
  register,
  adminCaller,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await register()
  await requestTrial(person)
  await decide(adminCaller, person, granted())
  const response = await page.goto('/request-trial')
  expect(response?.headers()['cache-control']).toContain('no-store')
  await expect(card(page).getByText('Approved')).toBeVisible()
  await expect(card(page)).toContainText('Your trial is ready. It runs until')
  await expect(card(page)).toContainText('Reviewed on')
  for (const secret of ['trial-user-77', 'secret-mango-77']) await expect(page.getByText(secret)).toHaveCount(0)
  // The server that was entered is shown as text, never as a link.
  await expect(card(page).getByText('javascript:alert(1)', { exact: true })).toBeVisible()
  await expect(page.locator('a[href^="javascript"]')).toHaveCount(0)

  await card(page).getByRole('button', { name: 'Copy password' }).click()
  await expect(card(page).getByRole('button', { name: 'Copied! password' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('secret-mango-77')
  await card(page).getByRole('button', { name: 'Reveal password' }).click()
  await expect(page.getByText('secret-mango-77')).toBeVisible()
  await expect(page.getByText('trial-user-77')).toHaveCount(0)
  expect(`${page.url()} ${await page.title()}`).not.toMatch(/secret|mango|trial-user/)
  await card(page).getByRole('button', { name: 'Hide password' }).click()
  await expect(page.getByText('secret-mango-77')).toHaveCount(0)

  await decide(adminCaller, person, { ...granted(), expiryDate: new Date(Date.now() - 60_000).toISOString() })
  await expect(card(page)).toContainText('Your trial has ended')
  await expect(card(page).getByRole('button', { name: 'Reveal password' })).toHaveCount(0)
  await expect(card(page).getByRole('link', { name: 'View Plans' })).toHaveAttribute('href', '/pricing')
})

test('an open page removes the credentials when the trial ends @proof', async ({ page, register, adminCaller }) => {
  const person = await register()
  await requestTrial(person)
  await decide(adminCaller, person, granted())
  await page.clock.install()
  await page.goto('/request-trial')
  await card(page).getByRole('button', { name: 'Reveal username' }).click()
  await expect(page.getByText('trial-user-77')).toBeVisible()
  await page.clock.fastForward('25:00:00')
  await expect(card(page)).toContainText('Your trial has ended')
  await expect(page.getByText('trial-user-77')).toHaveCount(0)
})

test('an active subscription is shown instead of the form @proof', async ({ page, register, adminCaller }) => {
  await register()
  const order = await openOrder(page)
  await submitOrder(page, order, {
    paymentMethod: 'cashapp',
    confirmationCode: 'PAID-1',
    paymentNote: `SAUCE: ${order.invoiceNumber}`,
  })
  await decideOrder(adminCaller, order.invoiceNumber, 'paid')
  await page.goto('/request-trial')
  await expect(card(page, 'You Already Have a Subscription')).toContainText('Your plan is active until')
  await expect(button(page)).toHaveCount(0)
  await expect(page.getByLabel('Device')).toHaveCount(0)
  await expectAccessible(page)
})

test.describe('a request that fails', () => {
  test('shows the reason and keeps the input @proof', async ({ page, register, allowPageError }) => {
    allowPageError(/status of 409/)
    const person = await register()
    await page.goto('/request-trial')
    await expect(button(page)).toBeEnabled()
    // Another tab sends a request first, and without a WebSocket this page is not notified.
    await page.routeWebSocket('**/ws', () => {})
    await page.reload()
    await expect(button(page)).toBeEnabled()
    await requestTrial(person)
    await fillAndSend(page)
    await expect(toast(page, 'Failed to submit request')).toContainText(
      'You already have a trial request that is waiting for review',
    )
    await expect(
      page.locator('form').getByText('You already have a trial request that is waiting for review'),
    ).toBeVisible()
    await expect(page.getByLabel('Device')).toHaveValue(trialRequest.device)
    await expect(page.getByLabel('Message')).toHaveValue(trialRequest.message)
  })

  test('without a response shows an error and succeeds when sent again @proof', async ({
    page,
    register,
    allowPageError,
  }) => {
    allowPageError(/ERR_CONNECTION_FAILED|Failed to load resource/)
    await register()
    await page.goto('/request-trial')
    await page.route('**/api/trial-requests', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionfailed') : route.continue(),
    )
    await fillAndSend(page)
    await expect(toast(page, 'Failed to submit request')).toContainText('Failed to submit trial request')
    await expect(page.getByLabel('Message')).toHaveValue(trialRequest.message)
    await page.unroute('**/api/trial-requests')
    await button(page).click()
    await expect(card(page, 'Trial Request Submitted')).toBeVisible()
  })
})

test('when requests fail to load an error is shown without a form, and they can be retried @proof', async ({
  page,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 500/)
  await register()
  await page.route('**/api/trial-requests', (route) =>
    route.fulfill({ status: 500, json: { message: 'Internal error', code: 'internal' } }),
  )
  // Navigates from another page: when a page is opened directly, the server fetches the requests.
  await page.goto('/')
  await page.getByRole('link', { name: 'Try For Free' }).click()
  await expect(page).toHaveURL('/request-trial')
  await expect(page.getByRole('alert')).toContainText('Error loading your trial requests. Please try again later.')
  await expect(button(page)).toHaveCount(0)
  await page.unroute('**/api/trial-requests')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(button(page)).toBeVisible()
})

inEachLook({ height: 844 }, () => {
  test('the trial page is accessible in every state @proof', async ({ page, register, adminCaller }) => {
    const person = await register()
    await page.goto('/request-trial')
    await expectAccessible(page)
    await button(page).click()
    await expect(page.getByText('There is a problem')).toBeVisible()
    await expectAccessible(page)
    await fillAndSend(page)
    await expect(card(page, 'Trial Request Submitted')).toBeVisible()
    await expectAccessible(page)
    await decide(adminCaller, person, granted())
    await card(page).getByRole('button', { name: 'Reveal password' }).click()
    await expectAccessible(page)
    await decide(adminCaller, person, { ...granted(), status: 'denied', adminNotes: 'One trial a household.' })
    await expect(card(page)).toContainText('One trial a household.')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
