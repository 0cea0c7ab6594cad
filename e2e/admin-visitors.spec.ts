import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'

const rows = (page: Page) => page.locator('tbody').getByRole('row')
/** The row of the only visitor on that page. */
const rowOn = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('cell', { name, exact: true }) })
async function open(page: Page): Promise<Page> {
  await page.goto('/admin?tab=visitors')
  await expect(page.getByRole('heading', { name: /^Active Visitors/ })).toBeVisible()
  await expect(rowOn(page, 'Admin Panel')).toContainText('Logged In')
  return page
}
const expectCount = (page: Page, count: number) =>
  expect(page.getByRole('heading', { name: `Active Visitors ${count}`, exact: true })).toBeVisible()
const countNow = async (page: Page) =>
  Number((await page.getByRole('heading', { name: /^Active Visitors \d/ }).textContent())?.match(/\d+/)?.[0])

// A separate app: visitors of earlier tests would be counted for five minutes.
test.use({ environment: { JOURNEYS: 'visitors' } })

test('the open list shows visitors as they come, navigate and leave; several tabs count as one visitor @proof', async ({
  page,
  newPage,
  register,
  signInAdmin,
}) => {
  const admin = await open(await signInAdmin())
  await page.goto('/setup')
  const visitor = rowOn(admin, 'Setup Guide')
  await expect(visitor).toContainText('Anonymous')
  await expect(visitor).toContainText(/Chrome \d+ on Linux/)
  await expect(visitor).toContainText('Desktop')
  await expect(visitor).toContainText('less than a minute ago')
  const count = await countNow(admin)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'FAQ' }).click()
  await expect(rowOn(admin, 'FAQ')).toHaveCount(1)
  await expect(visitor).toHaveCount(0)
  const tab = await page.context().newPage()
  await tab.goto('/devices')
  await expect(rowOn(admin, 'Devices')).toHaveCount(1)
  await expect(rowOn(admin, 'FAQ')).toHaveCount(0)
  await expectCount(admin, count)
  await tab.close()
  await expect(rowOn(admin, 'FAQ')).toHaveCount(1)

  const customer = await register({}, await newPage())
  await customer.page.goto('/invoices')
  const row = rowOn(admin, 'Your Invoices')
  await expect(row).toContainText(customer.username)
  await expect(row).toContainText('Logged In')
  await admin.getByRole('searchbox').fill(customer.username)
  await expect(rows(admin)).toHaveCount(1)
  await customer.page.goto('about:blank')
  await expect(admin.getByText('No visitors match')).toBeVisible()
  await expectCount(admin, count)
})

test('the filtered visitors are exported as a file @proof', async ({ page, signInAdmin }) => {
  const admin = await open(await signInAdmin())
  await page.goto('/devices')
  await expect(rowOn(admin, 'Devices')).toHaveCount(1)
  await admin.getByRole('searchbox').fill('/devices')
  await expect(rows(admin)).toHaveCount(1)
  const download = admin.waitForEvent('download')
  await admin.getByRole('link', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^visitors-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^"Anonymous","no",".*","Devices","\/devices","Chrome \d+","Linux","desktop",/)
})

test('a paused list stays unchanged until it is resumed @proof', async ({ page, signInAdmin }) => {
  const panel = await signInAdmin()
  await panel.clock.install()
  const admin = await open(panel)
  await page.goto('/contact')
  await expect(rowOn(admin, 'Contact')).toHaveCount(1)
  await admin.getByRole('button', { name: 'Pause' }).click()
  const requests: string[] = []
  admin.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto('/pricing')
  // Longer than the polling interval.
  await admin.clock.fastForward(11_000)
  await expect(rowOn(admin, 'Contact')).toHaveCount(1)
  expect(requests).not.toContain('/api/admin/active-visitors')
  await admin.getByRole('button', { name: 'Resume' }).click()
  await expect(rowOn(admin, 'Pricing')).toHaveCount(1)
  await expect(rowOn(admin, 'Contact')).toHaveCount(0)
  await expect(admin.getByRole('button', { name: 'Pause' })).toBeFocused()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('a visitor is counted by page requests @proof', async ({ page, signInAdmin, browser, baseURL }) => {
    // The administrator's browser runs scripts; another user agent distinguishes it from the visitor's at the same IP address.
    const context = await browser.newContext({
      baseURL,
      javaScriptEnabled: true,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    const admin = await open(await signInAdmin(await context.newPage()))
    await page.goto('/terms')
    await expect(rowOn(admin, 'Terms of Service')).toContainText('Anonymous')
    await page.goto('/privacy')
    await expect(rowOn(admin, 'Privacy Policy')).toHaveCount(1)
    await expect(rowOn(admin, 'Terms of Service')).toHaveCount(0)
    await context.close()
  })
})

test('the empty list and errors are shown; long lists are paged and visitors beyond the limit are counted @proof', async ({
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 50[03]/)
  const admin = await signInAdmin()
  const respondWith = (status: number, body: string) =>
    admin.route('**/api/admin/active-visitors', (route) =>
      route.fulfill({ status, contentType: 'application/json', body }),
    )
  await respondWith(200, '{"count":0,"visitors":[]}')
  await admin.goto('/admin?tab=visitors')
  await expect(admin.getByText('No active visitors at the moment')).toBeVisible()
  await expectAccessible(admin)

  await respondWith(503, '{"message":"We cannot reach our records right now.","code":"unavailable"}')
  await admin.reload()
  await expect(admin.getByRole('alert')).toContainText('Failed to fetch active visitors')
  await expect(admin.getByRole('alert')).toContainText('We cannot reach our records right now.')
  await respondWith(500, 'a proxy says no')
  await admin.getByRole('button', { name: 'Retry' }).click()
  await expect(admin.getByRole('alert')).toContainText('Unknown error')

  const one = {
    isAuthenticated: false,
    username: null,
    country: 'Iceland',
    path: '/wp-login.php',
    userAgent: 'x',
    lastActive: new Date().toISOString(),
  }
  const device = { browser: null, system: null, type: 'other' }
  const visitors = Array.from({ length: 500 }, (_, i) => ({
    ...one,
    id: `visitor-${i}`,
    ipAddress: `2001:db8::${i.toString(16)}`,
    device,
  }))
  await respondWith(200, JSON.stringify({ count: 2_000, visitors }))
  // The list also refetches automatically, so Retry may disappear before it can be pressed.
  await admin.reload()
  await expect(admin.getByText('Showing the latest 500 of 2000 visitors.')).toBeVisible()
  await expect(admin.getByText('Showing 1 to 10 of 500 visitors')).toBeVisible()
  await expect(rows(admin).first()).toContainText('Iceland')
  await expect(rows(admin).first()).toContainText('Wp Login.php')
})

test('the list is accessible, wide and narrow, light and dark @proof', async ({ page, signInAdmin }) => {
  const admin = await open(await signInAdmin(page))
  for (const { colorScheme, width } of looks()) {
    await admin.setViewportSize({ width, height: 900 })
    await admin.emulateMedia({ colorScheme })
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await admin.getByRole('button', { name: 'Pause' }).click()
  await expectAccessible(admin)
})
