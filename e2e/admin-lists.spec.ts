import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'

const rows = (page: Page) => page.locator('tbody').getByRole('row')
/** The range text: "Showing 1 to 10 of 12 users". */
const range = (page: Page) => page.getByText(/^Showing \d+ to \d+ of \d+/)
/** Opens a list and waits for its first response. By then the page is hydrated. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await range(page).waitFor()
}

/** Creates a dozen users that only this test finds, and returns the search term for them. */
async function crowd(page: Caller, origin: string): Promise<string> {
  const word = `crowd${Date.now().toString(36)}`
  for (let i = 10; i < 22; i++) {
    const data = { username: `${word}-${i}`, email: `${word}-${i}@example.org`, password: 'correct-horse-battery' }
    expect((await page.request.post('/api/register', { data, headers: { origin } })).ok()).toBe(true)
  }
  return word
}

test('a customer who opens the Admin Panel is redirected to the account and never loads the panel’s scripts', async ({
  page,
  register,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await register()
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((url) => /admin/.test(new URL(url).pathname))).toEqual([expect.stringMatching(/\/admin$/)])
})

test('search, order, page and columns survive a reload and a shared link; Back undoes one step at a time', async ({
  app,
  page,
  signInAdmin,
  newCaller,
}) => {
  const word = await crowd(await newCaller(), app.url)
  const admin = await signInAdmin(page)
  await open(admin, '/admin')
  await admin.getByRole('searchbox').pressSequentially(word, { delay: 30 })
  await expect(range(admin)).toHaveText('Showing 1 to 10 of 12 users')
  await admin.getByRole('button', { name: 'Username' }).click()
  await expect(rows(admin).first()).toContainText(`${word}-10`)
  await expect(admin.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'ascending')
  await admin.getByRole('button', { name: 'Next page' }).click()
  await expect(range(admin)).toHaveText('Showing 11 to 12 of 12 users')
  expect(Object.fromEntries(new URL(admin.url()).searchParams)).toEqual({
    search: word,
    sort: 'username',
    order: 'asc',
    page: '2',
  })

  await admin.reload()
  await expect(range(admin)).toHaveText('Showing 11 to 12 of 12 users')
  await expect(admin.getByRole('searchbox')).toHaveValue(word)
  await expect(admin.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'ascending')

  await admin.goBack()
  await expect(range(admin)).toHaveText('Showing 1 to 10 of 12 users')
  await admin.goBack()
  await expect(admin.getByRole('columnheader', { name: 'Username' })).toHaveAttribute('aria-sort', 'none')
  await expect(rows(admin).first()).toContainText(`${word}-21`)
  await admin.goBack()
  await expect(admin.getByRole('searchbox')).toHaveValue('')
  await admin.goForward()
  await expect(admin.getByRole('searchbox')).toHaveValue(word)
  await expect(range(admin)).toHaveText('Showing 1 to 10 of 12 users')
})

test('a column heading sorts ascending, descending and not at all @proof', async ({
  app,
  page,
  signInAdmin,
  newCaller,
}) => {
  const word = await crowd(await newCaller(), app.url)
  const admin = await signInAdmin(page)
  await open(admin, `/admin?search=${word}`)
  const heading = admin.getByRole('columnheader', { name: 'Email' })
  for (const [order, first] of [
    ['ascending', `${word}-10`],
    ['descending', `${word}-21`],
    ['none', `${word}-21`],
  ] as const) {
    await heading.getByRole('button').click()
    await expect(heading).toHaveAttribute('aria-sort', order)
    await expect(rows(admin).first()).toContainText(first)
    await expect(heading.getByRole('button')).toBeFocused()
  }
})

test('a page beyond the end shows the last page, and invalid URL parameters are ignored @proof', async ({
  app,
  page,
  signInAdmin,
  newCaller,
}) => {
  const word = await crowd(await newCaller(), app.url)
  const admin = await signInAdmin(page)
  await admin.goto(`/admin?search=${word}&page=999&pageSize=5`)
  await expect(range(admin)).toHaveText('Showing 11 to 12 of 12 users')
  await expect(admin).toHaveURL(/page=3/)
  await admin.goto(`/admin?search=${word}&page=-1&pageSize=7&sort=password&order=up&tab=secrets`)
  await expect(range(admin)).toHaveText('Showing 1 to 10 of 12 users')
})

test('a search without a match shows a message and can be cleared; a single page has no pager @proof', async ({
  page,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  await admin.goto('/admin?search=nobody%20at%20all')
  await expect(admin.getByText('No users match')).toBeVisible()
  await expect(range(admin)).toHaveText('Showing 0 to 0 of 0 users')
  await expect(admin.getByRole('navigation', { name: 'Pages of users' })).toBeHidden()
  await admin.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(admin.getByRole('searchbox')).toHaveValue('')
  await expect(range(admin)).toHaveText(/^Showing 1 to/)
  await expect(rows(admin).first()).toBeVisible()
})

test('hidden columns stay hidden after a reload; the name cannot be hidden @proof', async ({ page, signInAdmin }) => {
  const admin = await signInAdmin(page)
  await open(admin, '/admin')
  await admin.getByRole('button', { name: 'Columns' }).click()
  await expect(admin.getByRole('checkbox', { name: 'Username' })).toBeHidden()
  await admin.getByRole('checkbox', { name: 'Full Name' }).uncheck()
  await admin.keyboard.press('Escape')
  await expect(admin.getByRole('button', { name: 'Columns' })).toBeFocused()
  await expect(admin.getByRole('columnheader', { name: 'Full Name' })).toBeHidden()
  await admin.reload()
  await expect(admin.getByRole('columnheader', { name: 'Email' })).toBeVisible()
  await expect(admin.getByRole('columnheader', { name: 'Full Name' })).toBeHidden()
})

test('a list that fails to load shows the reason in its card and can be retried; the other tabs work @proof', async ({
  page,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  const admin = await signInAdmin(page)
  const refusal = {
    status: 503,
    contentType: 'application/json',
    body: '{"message":"We cannot reach our records right now.","code":"unavailable"}',
  }
  await admin.route('**/api/admin/users*', (route) => route.fulfill(refusal))
  await admin.goto('/admin')
  await expect(admin.getByRole('alert').getByText('Error loading data')).toBeVisible()
  await expect(admin.getByText('We cannot reach our records right now.')).toBeVisible()
  await admin.getByRole('tab', { name: 'Invoices' }).click()
  await expect(range(admin)).toContainText('invoices')

  await admin.goto('/admin')
  await expect(admin.getByRole('alert').getByText('Error loading data')).toBeVisible()
  await admin.unroute('**/api/admin/users*')
  await admin.getByRole('button', { name: 'Retry' }).click()
  await expect(range(admin)).toContainText('users')
})

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 320, height: 640 } })
  test('rows are labeled blocks with table semantics, and nothing scrolls sideways @proof', async ({
    page,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    await open(admin, '/admin')
    await admin.getByLabel('Sort by').selectOption({ label: 'Created At, ascending' })
    await expect(rows(admin).first()).toContainText('admin')
    expect(
      await rows(admin)
        .first()
        .evaluate((row) => getComputedStyle(row).display),
    ).toBe('grid')
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await expectAccessible(admin)
  })
})
