import type { Page } from '@playwright/test'
import { expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { holdScript } from './hold-script.ts'
import { expectSheet } from './watching.ts'

const test = journey.extend<{ admin: Page }>({
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
})
const nav = (page: Page) => page.getByRole('navigation', { name: 'Administration' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const entry = (page: Page, name: string) => nav(page).getByRole('link', { name: new RegExp(`^${name}\\b`) })

test('the sidebar marks the open tab, counts waiting work live, and collapses by key and by button', async ({
  app,
  admin,
  register,
  newCaller,
}) => {
  await admin.goto('/admin')
  await expect(heading(admin, 'Admin Panel')).toBeVisible()
  await expect(entry(admin, 'Users')).toHaveAttribute('aria-current', 'page')
  const { trial } = (await (await admin.request.get('/api/admin/desk/counts')).json()) as { trial: { count: number } }
  const { page } = await register({}, await newCaller())
  const asked = { data: { device: 'Fire TV', message: 'I would like to try it.' }, headers: { origin: app.url } }
  expect((await page.request.post('/api/trial-requests', asked)).ok()).toBe(true)
  await expect(entry(admin, 'Trials')).toHaveAccessibleName(new RegExp(`, ${trial.count + 1} waiting, the oldest for`))

  await entry(admin, 'Trials').click()
  await expect(heading(admin, 'Admin Panel')).toBeFocused()
  await expect(entry(admin, 'Trials')).toHaveAttribute('aria-current', 'page')
  await expect(nav(admin).locator('[aria-current]')).toHaveCount(1)
  await expectAccessible(admin)

  const width = async () => (await nav(admin).boundingBox())!.width
  expect(await width()).toBeGreaterThan(200)
  await admin.keyboard.press('Control+b')
  await expect(async () => expect(await width()).toBeLessThan(70)).toPass()
  await admin.reload()
  await expect(admin.getByRole('button', { name: 'Expand the sidebar' })).toHaveAttribute('aria-expanded', 'false')
  expect(await width()).toBeLessThan(70)
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Expand the sidebar' }).click()
  await expect(async () => expect(await width()).toBeGreaterThan(200)).toPass()

  await admin.keyboard.press('Control+/')
  await expect(admin.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await admin.keyboard.press('Escape')
  const account = admin.getByRole('button', { name: 'account menu' })
  await account.click()
  await admin.getByRole('radio', { name: 'Compact' }).check()
  await expect(admin.locator('html')).toHaveAttribute('data-rows', 'compact')
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await expect(account).toBeFocused()
})

test('on a phone in dark mode the bottom bar leads to all pages through a sheet', async ({ admin }) => {
  await admin.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/audit')
  await expect(heading(admin, 'Audit Log')).toBeVisible()
  await expect(nav(admin)).toBeHidden()
  await expectAccessible(admin)
  await admin.getByRole('navigation', { name: 'Main pages' }).getByRole('button', { name: 'More' }).click()
  const sheet = admin.getByRole('dialog', { name: 'All pages' })
  await expect(sheet.getByRole('link', { name: 'Audit Log' })).toHaveAttribute('aria-current', 'page')
  await expectSheet(sheet)
  await expectAccessible(admin)
  await sheet.getByRole('link', { name: /^Lines/ }).click()
  await expect(heading(admin, 'Lines')).toBeFocused()
  await expect(sheet).toBeHidden()
})

const loadingParts = [
  { path: '/admin/watching', text: 'No rights yet.', action: 'Record Right' },
  { path: '/admin/settings?section=api-keys', text: 'There are no API keys yet.', action: 'Create API Key' },
]
for (const { path, text, action } of loadingParts)
  test(`a click on “${action}” is not lost while its script is still loading`, async ({ page, signInAdmin }) => {
    const admin = await signInAdmin(page)
    const release = await holdScript(admin, text)
    await admin.goto(path, { waitUntil: 'commit' })
    // While the script is held, the page must not finish hydrating without this part.
    await admin.waitForFunction(() => !('takeClicks' in window), undefined, { timeout: 1_500 }).catch(() => undefined)
    await admin.getByRole('button', { name: action }).click()
    await release()
    await expect(admin.getByRole('dialog', { name: action })).toBeVisible()
  })
