import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const devices = (page: Page) => page.getByRole('navigation', { name: 'Your device' })
type Guide = { id: number; device: string; hidden: boolean; [field: string]: unknown }

/** Shows or hides the guides of these devices. */
async function offer(page: Page, origin: string, names: string[], change: object = { hidden: false }) {
  const all = (await (await page.request.get('/api/admin/setup-guides')).json()) as Guide[]
  for (const { id, device, ...guide } of all.filter(({ device }) => names.includes(device)))
    expect(
      (
        await page.request.put(`/api/admin/setup-guides/${id}`, { data: { ...guide, ...change }, headers: { origin } })
      ).ok(),
    ).toBe(true)
}

test('the tabs have their specified names, and a device without a guide shows that its guide is coming soon', async ({
  page,
}) => {
  await page.goto('/setup?device=samsung')
  await expect(page.getByRole('tab')).toHaveText(['Amazon Firestick', 'Android', 'Other Devices'])
  await expect(tab(page, 'Other Devices')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('The guide for other devices is coming soon.')).toBeVisible()
  await expect(devices(page)).toHaveCount(0)
  await page.goto('/devices')
  await expect(page.getByRole('main').getByRole('link', { name: 'Android', exact: true })).toHaveCount(0)
  await page.getByRole('link', { name: 'Download Our Apps' }).click()
  await expect(page.getByRole('heading', { name: 'Install the recommended app' })).toBeVisible()
})

test('an administrator edits a guide, and visitors see it at its URL, also without scripts', async ({
  page,
  browser,
  signInAdmin,
  baseURL,
}) => {
  await signInAdmin(page)
  await page.goto('/admin/catalogue?tab=guides')
  await page.getByRole('button', { name: 'Edit LG TV' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tab', { exact: true }).selectOption('Android')
  await dialog.getByLabel('App (optional)', { exact: true }).fill('Kiwi Player')
  await dialog.getByRole('button', { name: 'Remove Step 4' }).click()
  await dialog.getByRole('button', { name: 'Move Step 3 up' }).click()
  await expect(dialog.getByRole('button', { name: 'Move Step 2 up' })).toBeFocused()
  await dialog
    .getByRole('group', { name: 'Step 1', exact: true })
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByText('Please enter the text').first()).toBeVisible()
  await dialog
    .getByRole('group', { name: 'Step 1', exact: true })
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Find {app} in the store.')
  await dialog.getByLabel('Hidden').uncheck()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toHaveCount(0)

  const context = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false })
  const visitor = await context.newPage()
  await visitor.goto('/setup?device=lg')
  const panel = visitor.getByRole('tabpanel', { name: 'Android' })
  await expect(panel.getByRole('heading', { level: 3 })).toHaveText([
    'Install Kiwi Player',
    'Enter your credentials',
    'Select the provider',
  ])
  await expect(panel.getByText('Find Kiwi Player in the store.')).toBeVisible()
  await context.close()
  await offer(page, baseURL!, ['lg'], { hidden: true, tab: 'other' })
})

inEachLook({ widths: [320, 1440], height: 800 }, ({ width }) => {
  test('the guides and their editor are accessible and fit the screen @proof', async ({
    page,
    signInAdmin,
    baseURL,
  }) => {
    await signInAdmin(page)
    const expectFitting = async () => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await expectAccessible(page)
    }
    await offer(page, baseURL!, ['apple', 'samsung', 'web'])
    await page.goto('/setup')
    await tab(page, 'Other Devices').click()
    await devices(page).getByRole('link', { name: 'Samsung TV' }).click()
    await expect(page).toHaveURL('/setup?device=samsung')
    await expect(page.getByText('Press Home on the remote')).toBeVisible()
    await expectFitting()
    await page.goto('/admin/catalogue?tab=guides')
    await page.getByRole('button', { name: 'Edit Web browser' }).click()
    await expect(page.getByRole('dialog').getByRole('group', { name: 'Step 3', exact: true })).toBeAttached()
    await expectFitting()
    await offer(page, baseURL!, ['apple', 'samsung', 'web'], { hidden: true })
  })
})
