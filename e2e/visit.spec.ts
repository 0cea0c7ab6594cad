import { expect, expectAccessible, test } from '../test/browser.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const path of ['/', '/pricing']) {
    test(`${path} shows the plans of the database with their prices`, async ({ page, request }) => {
      const plans = (await (await request.get('/api/plans')).json()) as { price: number }[]
      expect(plans.length).toBeGreaterThan(4)

      const response = await page.goto(path)

      expect(response?.status()).toBe(200)
      for (const plan of plans) await expect(page.getByText(`$${(plan.price / 100).toFixed(2)}`).first()).toBeVisible()
    })
  }
})

test('an unknown address is a 404 with a page of its own', async ({ page, expectComplaint }) => {
  expectComplaint(/status of 404/)
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme })
    for (const path of ['/', '/pricing', '/auth']) {
      test(`${path} is accessible`, async ({ page }) => {
        await page.goto(path)
        await expectAccessible(page)
      })
    }
  })
}
