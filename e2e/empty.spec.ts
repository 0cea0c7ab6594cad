import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { sampled } from '../test/harness/scale.ts'

// An installation without any content.
test.use({ environment: { JOURNEYS: 'empty', SEED: 'empty', HANDLES: 'unset' } })

test('no page shows zero counts or a plan group without plans @proof', async ({ page }) => {
  for (const width of sampled([390, 1440], 2)) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/pricing', '/channels', '/channels/lineup', '/devices', '/faq', '/contact', '/setup']) {
      await page.goto(path)
      await expect(page.locator('main'), path).not.toContainText(/\b0 (sample )?(channels?|categories|plans?)\b/)
      await expect(page.getByRole('tab', { name: /Beast/ }), path).toHaveCount(0)
      await expectAccessible(page)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        path,
      ).toBe(0)
    }
  }
  await page.goto('/pricing')
  await expect(page.getByText('No plans yet.')).toBeVisible()
  await expect(page.getByText('All Plans Include')).toHaveCount(0)
})

test('a group is shown once it has a plan @proof', async ({ app, page, adminCaller }) => {
  const plan = { tier: 2, connections: 1, price: 3900, features: ['One screen'], popular: false, hidden: false }
  expect((await adminCaller.request.post('/api/admin/plans', { data: plan, headers: { origin: app.url } })).ok()).toBe(
    true,
  )
  await page.goto('/pricing')
  await expect(page.getByRole('tab')).toHaveCount(1)
  await expect(page.getByRole('tab', { name: /^Beast/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('link', { name: /Subscribe Now — 1 connection/ })).toBeVisible()
})
