import { expect, test } from '../test/harness/browser.ts'
import { holdScripts } from './hold-scripts.ts'

test('a click before the scripts load is handled once when they have loaded', async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/pricing', { waitUntil: 'commit' })
  const theme = page.getByRole('button', { name: /^Color theme/ })
  await expect(theme).toHaveAccessibleName(/^Color theme: system/)
  await theme.click()
  await theme.click()
  await page.getByRole('tab').nth(2).click()
  release()
  await expect(theme).toHaveAccessibleName(/^Color theme: dark/)
  await expect(page.getByRole('tab').nth(2)).toHaveAttribute('aria-selected', 'true')
})

test('a public page loads its scripts after rendering, an account page immediately', async ({ page, register }) => {
  await page.goto('/')
  expect(await page.locator('script[src]').count()).toBe(0)
  const [painted, firstScript] = await page.evaluate(() => [
    performance.getEntriesByName('first-paint')[0]?.startTime ?? 0,
    Math.min(
      ...performance
        .getEntriesByType('resource')
        .flatMap(({ name, startTime }) => (name.endsWith('.js') ? [startTime] : [])),
    ),
  ])
  expect(firstScript).toBeGreaterThan(painted!)
  await register()
  await page.goto('/dashboard')
  expect(await page.locator('script[type=module][src]').count()).toBe(1)
})
