import type { Page } from '@playwright/test'
import { publicPaths } from '../src/web/public-paths.ts'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

const expectNoSidewaysScroll = async (page: Page, path: string) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    `${path} scrolls sideways`,
  ).toBe(0)

// The five legal texts share one page component; the channels have their own test file.
const pages = publicPaths.filter(
  (path) => !path.startsWith('/channels') && !['/privacy', '/refund-policy', '/cookies', '/dmca'].includes(path),
)

inEachLook({ widths: [320, 390, 1440], height: 844 }, ({ width }) => {
  test('public pages are accessible and fit the screen, also with open FAQs and form errors', async ({
    page,
    allowPageError,
  }) => {
    allowPageError(/status of 404/)
    for (const path of [...pages, '/nothing-here']) {
      await page.goto(path)
      const question = page.locator('.faqs summary').first()
      if (await question.isVisible()) await question.click()
      if (path === '/contact') {
        await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled()
        await page.getByRole('button', { name: 'Send Message' }).click()
        await expect(page.getByText('There is a problem')).toBeVisible()
      }
      await expectAccessible(page)
      await expectNoSidewaysScroll(page, path)
    }
  })

  if (width < 1440)
    test('the menu is accessible @proof', async ({ page }) => {
      await page.goto('/')
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible()
      await expectAccessible(page)
    })
})

for (const width of [390, 1440]) {
  const tag = width === 390 ? '' : ' @proof'
  test.describe(`${width} wide,`, () => {
    test.use({ viewport: { width, height: width === 390 ? 844 : 900 } })

    test(`the home page has no layout shift while it loads and scrolls, and its hero fills 85 % of the window${tag}`, async ({
      page,
    }) => {
      await page.addInitScript(() => {
        const shifts: { by: number; of: string[] }[] = []
        Object.assign(window, { shifts })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & {
            value: number
            sources: { node?: Element }[]
          })[])
            shifts.push({
              by: entry.value,
              of: entry.sources.map(({ node }) => node?.className?.toString() || node?.nodeName || '?'),
            })
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto('/', { waitUntil: 'networkidle' })
      const hero = await page.locator('.hero').boundingBox()
      expect(hero!.height / page.viewportSize()!.height).toBeGreaterThanOrEqual(0.85)
      const bottom = await page.evaluate(() => document.documentElement.scrollHeight)
      for (let at = 0; at < bottom; at += 600) {
        await page.mouse.wheel(0, 600)
        await page.waitForFunction(
          (y) => scrollY >= Math.min(y, document.documentElement.scrollHeight - innerHeight - 1),
          at + 600,
        )
      }
      await expect(page.locator('#contact').getByLabel('Message')).toBeVisible()
      const shifts = await page.evaluate(() => (window as unknown as { shifts: { by: number; of: string[] }[] }).shifts)
      expect(
        shifts.reduce((sum, { by }) => sum + by, 0),
        JSON.stringify(shifts),
      ).toBeLessThanOrEqual(0.01)
    })
  })
}

test('with reduced motion nothing moves; otherwise the mascot’s eyes follow the mouse @proof', async ({ page }) => {
  const pupilTransform = () => page.locator('.hero-peeker .pupil').first().getAttribute('transform')
  await page.goto('/', { waitUntil: 'networkidle' })
  await page.mouse.move(200, 300)
  await page.mouse.move(400, 500)
  expect(await pupilTransform()).toBeNull()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.reload({ waitUntil: 'networkidle' })
  // On a busy machine the mascot follows the mouse only some time after the page has loaded.
  await expect(async () => {
    await page.mouse.move(200, 300)
    await page.mouse.move(400, 500)
    expect(await pupilTransform()).toMatch(/^translate\(/)
  }).toPass({ timeout: 15_000 })
})

test('in forced colors the selected tab has a visible outline @proof', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/pricing')
  const outlineOf = (name: string) =>
    page.getByRole('tab', { name: new RegExp(`^${name}`) }).evaluate((tab) => getComputedStyle(tab).outlineStyle)
  expect(await outlineOf('Little Beast')).toBe('solid')
  expect(await outlineOf('Big Beast')).toBe('none')
})

test('the chosen theme is applied before the first paint and persists @proof', async ({ page }) => {
  await page.goto('/faq')
  const theme = page.getByRole('button', { name: /^Color theme/ }).first()
  await theme.click()
  await theme.click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.goto('/pricing', { waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})
