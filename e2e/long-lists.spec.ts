import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'

const range = (page: Page) => page.getByText(/^Showing \d+ to \d+ of \d+/)
const search = (page: Page) => page.getByRole('searchbox')
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await range(page).waitFor()
}

test('a list is exported as CSV with its search and order @proof', async ({
  page,
  register,
  signInAdmin,
  newCaller,
}) => {
  const word = `export${Date.now().toString(36)}`
  await register({ username: `${word}-b` }, await newCaller())
  await register({ username: `${word}-a`, fullName: '=1+1' }, await newCaller())
  const admin = await signInAdmin(page)
  await open(admin, `/admin?search=${word}&sort=username`)
  const saving = admin.waitForEvent('download')
  await admin.getByRole('link', { name: 'Export CSV' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines.map((line) => line.split(',')[1])).toEqual(['"Username"', `"${word}-a"`, `"${word}-b"`])
  expect(lines[1]).toContain(`,"'=1+1",`)
})

test('the slash key focuses the search, but not while the user is typing and not when the shortcut is off @proof', async ({
  page,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  await open(admin, '/admin')
  await expect(search(admin)).toHaveAttribute('title', 'Press / to search')
  await admin.keyboard.press('/')
  await expect(search(admin)).toBeFocused()
  await expect(search(admin)).toHaveValue('')
  await admin.keyboard.press('/')
  await expect(search(admin)).toHaveValue('/')
  await search(admin).fill('')

  await admin.getByRole('button', { name: 'account menu' }).click()
  await admin.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
  await admin.keyboard.press('Escape')
  await expect(admin.getByRole('button', { name: 'account menu' })).toBeFocused()
  await admin.keyboard.press('/')
  await expect(search(admin)).not.toBeFocused()
  await admin.reload()
  await range(admin).waitFor()
  await expect(search(admin)).not.toHaveAttribute('title')
})

test('while the matches of a long search are counted the list says so, then shows the number @proof', async ({
  page,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  let asked = 0
  await admin.route('**/api/admin/users?*search=*', async (route) => {
    const response = await route.fetch()
    const count: Record<string, string> =
      asked++ === 0 ? { 'x-total-count': '1000', 'x-total-is-minimum': 'true' } : { 'x-total-count': '41234' }
    await route.fulfill({ response, headers: { ...response.headers(), ...count } })
  })
  await admin.goto('/admin?search=admin')
  await expect(admin.getByText('Showing 1 to 10 of more than 1000 users')).toBeVisible()
  await expect(admin.getByText('Showing 1 to 10 of 41234 users')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the toolbar of a list fits the screen and is accessible @proof', async ({ page, signInAdmin }) => {
    const admin = await signInAdmin(page)
    await open(admin, '/admin')
    await expect(admin.getByRole('link', { name: 'Export CSV' })).toBeVisible()
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectAccessible(admin)
  })
})
