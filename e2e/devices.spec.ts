import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { looks } from '../test/harness/looks.ts'
import { buyPlan, sendWrite } from './order.ts'
import { often } from './playback.ts'
import { expectSheet, offerChannels, test } from './watching.ts'

const news = [
  { stream_id: 'news.1', name: 'Harbor News', num: 12 },
  { stream_id: 'direct.1', name: 'Bay News', num: 7 },
]

/** Returns the font size of the smallest visible text on the TV page, in pixels. */
const smallestText = (tv: Page): Promise<number> =>
  tv.locator('main').evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const sizes: number[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!
      if (node.nodeValue!.trim() !== '' && !element.closest('.sr-only, style, svg'))
        sizes.push(Number.parseFloat(getComputedStyle(element).fontSize))
    }
    return Math.min(...sizes)
  })

test('a customer pairs a TV with a scanned code, watches on it by remote control, and removes the TV; a TV app gets its own login', async ({
  page,
  register,
  newPage,
  adminCaller,
  panel,
  allowPageError,
}) => {
  test.setTimeout(90_000)
  allowPageError(/\/api\/(tv|plays|watch|guide|device-codes)|\/stream\//)
  const [harborId] = await offerChannels(adminCaller, panel, news)
  await register()
  await buyPlan(page, adminCaller, 1, 1)
  await sendWrite(page, 'post', '/api/iptv/sync', { iptvUsername: 'unsaid.1', iptvPassword: linePassword })

  const tv = await newPage()
  await tv.setViewportSize({ width: 1920, height: 1080 })
  await tv.goto('/tv')
  // The TV page uses the build for older browsers.
  await expect(tv.locator('script[src^="/assets/tv-"]')).toHaveCount(1)
  await expect(tv.locator('output')).toBeVisible()
  expect(await smallestText(tv)).toBeGreaterThanOrEqual(24)
  await expectAccessible(tv)
  const code = (await tv.locator('output').textContent())!
  await page.goto(`/link?c=${code.replace('-', '')}`)
  const dialog = page.getByRole('dialog', { name: 'Pair a TV' })
  await expect(dialog.getByText(`Does your TV show ${code}?`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Bedroom')
  await dialog.getByRole('button', { name: 'Pair TV' }).click()
  await expect(page.locator('#announcements')).toHaveText('Bedroom is paired')
  await page.getByRole('dialog', { name: 'Bedroom is paired' }).getByRole('button', { name: 'Done' }).click()

  await expect(tv.getByRole('button', { name: /Bay News/ })).toBeFocused({ timeout: 15_000 })
  await expectAccessible(tv)
  expect(await smallestText(tv)).toBeGreaterThanOrEqual(24)
  await tv.keyboard.press('ArrowRight')
  await expect(tv.getByRole('button', { name: /12\s*Harbor News/ })).toBeFocused()
  // After the focus was lost, any key restores it.
  await tv.evaluate(() => (document.activeElement as HTMLElement).blur())
  await tv.keyboard.press('ArrowDown')
  await expect(tv.getByRole('button', { name: /Bay News/ })).toBeFocused()
  // If no channels are left, a button has the focus.
  await tv.route('**/api/watch', async (route) => {
    const watch = (await (await route.fetch()).json()) as { channels: object[] }
    await route.fulfill({ json: { ...watch, channels: [] } })
  })
  await tv.reload()
  await expect(tv.getByText('There are no channels to watch here right now.')).toBeVisible()
  await expect(tv.getByRole('button', { name: 'Sign Out' })).toBeFocused()
  await tv.keyboard.press('ArrowDown')
  await expect(tv.getByRole('button', { name: 'Try Again' })).toBeFocused()
  await tv.unroute('**/api/watch')
  await tv.keyboard.press('Enter')
  await expect(tv.getByRole('button', { name: /Bay News/ })).toBeFocused()
  await tv.keyboard.press('ArrowRight')
  await tv.keyboard.press('Enter')
  await expect(tv.locator('.tv-banner')).toHaveText(/^12 Harbor News/)
  expect(await smallestText(tv)).toBeGreaterThanOrEqual(24)
  const seconds = () => tv.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime)
  await expect.poll(seconds, often).toBeGreaterThan(0)
  await expectAccessible(tv)

  await expect(page.getByRole('heading', { name: 'Bedroom', level: 2 })).toBeVisible()
  await expect(
    page.getByText('1 of 1 in use. Little Beast: 1 Connection plays on one screen at the same time.'),
  ).toBeVisible()
  await expect(page.getByText('2 connections cost $8.00 more for 1 month.')).toBeVisible()
  for (const { colorScheme, width } of looks()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }

  // While the TV uses the only screen, the self-check of a channel lists the TV and can stop it.
  await page.goto(`/check?channel=${harborId}`)
  await expect(page.getByRole('heading', { level: 2, name: 'Your screen is in use.' })).toBeVisible({ timeout: 15_000 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Stop Harbor News on Bedroom' }).click()
  await expect(page.getByText('No screen is in use now.')).toBeVisible()
  await page.getByRole('button', { name: 'Report It Anyway' }).click()
  await expect(page.getByRole('term').filter({ hasText: 'Device' })).toBeVisible()
  await expect(tv.getByRole('button', { name: 'Try Again' })).toBeFocused({ timeout: 15_000 })
  expect(await smallestText(tv)).toBeGreaterThanOrEqual(24)
  await tv.keyboard.press('Enter')
  await expect(tv.locator('.tv-stop')).toHaveCount(0)

  await page.goto('/screens')
  await expect(page.getByRole('heading', { name: 'Bedroom', level: 2 })).toBeVisible({ timeout: 15_000 })
  await page.getByRole('button', { name: 'Remove Bedroom' }).click()
  const question = page.getByRole('alertdialog')
  await expectSheet(question)
  await question.getByRole('button', { name: 'Remove Device' }).click()
  await expect(page.getByText('No screen is set up yet')).toBeVisible()
  await expect(tv.getByRole('heading', { name: 'Pair this TV' })).toBeVisible({ timeout: 20_000 })

  await page.getByRole('button', { name: 'Add a TV App' }).click()
  const app = page.getByRole('dialog')
  await expectSheet(app)
  await app.getByLabel('Name').fill('Kodi')
  await app.getByRole('button', { name: 'Create Login' }).click()
  const list = (await app.getByText(/get\.php/).textContent())!
  await expectAccessible(page)
  expect(await (await page.request.get(new URL(list).pathname + new URL(list).search)).text()).toContain('Harbor News')
  await app.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/^TV app · username [a-z2-9]{8}/)).toBeVisible()
})
