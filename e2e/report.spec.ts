import type { Page } from '@playwright/test'
import { type Caller, type Customer, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { sendWrite } from './order.ts'

const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const list = (page: Page) => page.getByRole('region', { name: 'Your Reports' })
const item = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
const button = (page: Page) => page.getByRole('button', { name: 'Submit Report' })

const submitReport = ({ page }: Customer, contentName: string, more: object = {}) =>
  sendWrite(page, 'post', '/api/reports', { contentType: 'channel', contentName, issue: 'not_working', ...more })
async function decide(admin: Caller, contentName: string, decision: object): Promise<void> {
  const [report] = (await (
    await admin.request.get(`/api/admin/reports?search=${encodeURIComponent(contentName)}`)
  ).json()) as { id: number }[]
  await sendWrite(admin, 'put', `/api/admin/reports/${report?.id}`, decision)
}

test('a report is sent from the Reports tab and appears in the list immediately', async ({ page, register }) => {
  await register()
  await page.goto('/dashboard?tab=reports')
  await expect(page.getByRole('tab', { name: 'Reports' })).toHaveAttribute('aria-selected', 'true')
  await expect(list(page)).toContainText('No reports submitted')
  await expect(page.getByLabel('Content Type')).toHaveValue('channel')
  await expect(page.getByLabel('Issue')).toHaveValue('not_working')

  await button(page).click()
  await expect(page.getByLabel('Content Name')).toBeFocused()
  await expect(page.getByLabel('Content Name')).toHaveAccessibleDescription(/^Content name is required/)

  await page.getByLabel('Content Type').selectOption({ label: 'TV Show' })
  await page.getByLabel('Issue').selectOption({ label: 'Wrong Content' })
  await page.getByLabel('Content Name').fill('Kitchen Table, season 2')
  await page.getByLabel('Description').fill('Shows season 1 instead,\nevery evening.')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/reports'))
  await button(page).click()
  await expect(toast(page, 'Report Submitted')).toContainText('Thank you for your report. Our team will look into it.')
  expect(Object.keys((await sent).postDataJSON() as object).toSorted()).toEqual([
    'contentName',
    'contentType',
    'description',
    'issue',
    'userId',
  ])
  const mine = item(page, 'Kitchen Table, season 2')
  for (const text of ['TV Show', 'Wrong Content', 'Pending', 'Shows season 1 instead'])
    await expect(mine).toContainText(text)
  await expect(page.getByLabel('Content Name')).toHaveValue('')
  await expect(page.getByLabel('Description')).toHaveValue('')
  await expect(page.getByLabel('Content Type')).toHaveValue('channel')
  await expect(page.getByLabel('Issue')).toHaveValue('not_working')
})

test('status and notes change while the page is open; notes stay hidden while a report is pending @proof', async ({
  page,
  register,
  adminCaller,
}) => {
  const person = await register()
  const name = `Harbor ${person.username}`
  await page.goto('/dashboard?tab=reports')
  await expect(button(page)).toBeEnabled()
  await submitReport(person, name)
  await expect(item(page, name)).toContainText('Pending')
  for (const [status, badge] of [
    ['reviewing', 'Under Review'],
    ['resolved', 'Resolved'],
    ['dismissed', 'Dismissed'],
  ]) {
    await decide(adminCaller, name, { status, adminNotes: 'We asked the provider.' })
    await expect(item(page, name).getByText(badge!, { exact: true })).toBeVisible()
    await expect(item(page, name)).toContainText('We asked the provider.')
  }
  await decide(adminCaller, name, { status: 'pending' })
  await expect(item(page, name)).toContainText('Pending')
  await expect(item(page, name)).not.toContainText('We asked the provider.')
})

test('Refresh reloads the list, and a failure shows an error next to the old list @proof', async ({
  page,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 500/)
  const person = await register()
  await submitReport(person, 'Harbor News')
  await page.routeWebSocket('**/ws', () => {})
  await page.goto('/dashboard?tab=reports')
  await expect(item(page, 'Harbor News')).toBeVisible()
  await submitReport(person, 'Summit Sports')
  await list(page).getByRole('button', { name: 'Refresh' }).click()
  await expect(item(page, 'Summit Sports')).toBeVisible()

  await page.route('**/api/reports', (route) =>
    route.fulfill({ status: 500, json: { message: 'Internal error', code: 'internal' } }),
  )
  await list(page).getByRole('button', { name: 'Refresh' }).click()
  await expect(list(page).getByRole('alert')).toContainText('Error loading your reports')
  await expect(item(page, 'Summit Sports')).toBeVisible()
  await page.unroute('**/api/reports')
  await list(page).getByRole('button', { name: 'Retry' }).click()
  await expect(list(page).getByRole('alert')).toHaveCount(0)
})

test('a failed report keeps the input and shows the server’s message @proof', async ({
  page,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 429|ERR_CONNECTION_FAILED|Failed to load resource/)
  await register()
  await page.goto('/dashboard?tab=reports')
  await page.getByLabel('Issue').selectOption('buffering')
  await page.getByLabel('Content Name').fill('Harbor News')
  await page.getByLabel('Description').fill('Every evening.')
  const message = 'Too many attempts. Please wait a moment and try again.'
  await page.route('**/api/reports', (route) => route.fulfill({ status: 429, json: { message, code: 'too_many' } }))
  await button(page).click()
  await expect(toast(page, 'Error Submitting Report')).toContainText(message)
  await expect(page.locator('form').getByText(message)).toBeVisible()

  await page.unroute('**/api/reports')
  await page.route('**/api/reports', (route) => route.abort('connectionfailed'))
  await button(page).click()
  await expect(toast(page, 'Error Submitting Report')).toContainText('Failed to submit report. Please try again.')
  await expect(page.getByLabel('Issue')).toHaveValue('buffering')
  await expect(page.getByLabel('Content Name')).toHaveValue('Harbor News')
  await expect(page.getByLabel('Description')).toHaveValue('Every evening.')
})

inEachLook({ height: 844 }, () => {
  test('the Reports tab is accessible when empty, with errors and with reports @proof', async ({
    page,
    register,
    adminCaller,
  }) => {
    const person = await register()
    await page.goto('/dashboard?tab=reports')
    await expect(page.getByRole('tab', { name: 'Reports' })).toBeInViewport({ ratio: 0.95 })
    await expectAccessible(page)
    await button(page).click()
    await expect(page.getByText('Content name is required')).toBeVisible()
    await expectAccessible(page)
    for (const status of ['pending', 'reviewing', 'resolved', 'dismissed']) {
      const name = `${status} ${person.username}`
      await submitReport(person, name, { description: 'Since yesterday.' })
      await decide(adminCaller, name, { status, adminNotes: 'We asked the provider.' })
    }
    await expect(list(page).getByRole('listitem')).toHaveCount(4)
    await expect(list(page)).toContainText('Dismissed')
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
