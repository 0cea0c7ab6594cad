import { expect, test } from '../test/harness/browser.ts'
import { sampled } from '../test/harness/scale.ts'

const publicPages = ['/channels', '/channels/lineup', '/pricing', '/devices', '/faq', '/contact', '/setup', '/terms']
const accountPages = ['/dashboard', '/invoices', '/security', '/request-trial', '/checkout']

test('the title of every public and account page starts at the same place', async ({ page, register }) => {
  await register()
  const found: Record<string, [top: number, left: number]> = {}
  for (const path of sampled([...publicPages, ...accountPages], 2)) {
    await page.goto(path)
    found[path] = await page.locator('main h1').evaluate((title) => {
      const { top, left } = title.getBoundingClientRect()
      return [Math.round(top), Math.round(left)]
    })
  }
  // The header is 72 px high, and the first line of a page is 40 px below it.
  const expected = Object.fromEntries(Object.keys(found).map((path) => [path, [112, 80]]))
  expect(found).toEqual(expected)
})
