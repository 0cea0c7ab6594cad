import type { Page } from '@playwright/test'
import { expect, test } from '../test/harness/browser.ts'

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name: new RegExp(`^${name} `) })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search channels' })
const names = (page: Page) => page.locator('.channel-name:visible')
const count = (page: Page, name: string) => tab(page, name).locator('.tab-count')

test('a search by name filters the channels during typing, is kept in the URL, and can be cleared', async ({
  page,
}) => {
  // Presses the slash key as soon as its hint is in the page, before the browser has painted the hint.
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.search-key')) return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.goto('/channels')
  const all = (await (await page.request.get('/api/channels')).json()).length
  await expect(count(page, 'All')).toHaveAttribute('data-count', `${all}`)
  await expect(search(page)).toBeFocused()
  await search(page).blur()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('DRÁMA harbor')
  await expect(page.getByText(`1 of ${all} channels`, { exact: true })).toBeVisible()
  await expect(names(page)).toHaveText(['Harbor Drama'])
  await expect(count(page, 'Entertainment')).toHaveAttribute('data-count', '1')
  await expect(page).toHaveURL('/channels?q=DR%C3%81MA+harbor')

  await tab(page, 'Movies').click()
  await expect(page.getByText('No channel matches “DRÁMA harbor”', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('')
  await expect(page).toHaveURL('/channels?category=movies')
  await expect(heading(page, 'Movies')).toBeVisible()
})

test('the filter stays in view, and See All leads to the whole category @proof', async ({ page }) => {
  await page.goto('/channels')
  await heading(page, 'Soccer').scrollIntoViewIfNeeded()
  await expect(tab(page, 'All')).toBeInViewport()
  await page.getByRole('link', { name: 'See All in Soccer' }).click()
  await expect(page).toHaveURL('/channels?category=soccer')
  await expect(tab(page, 'Soccer')).toHaveAttribute('aria-selected', 'true')
  await expect(heading(page, 'Soccer')).toBeInViewport()
})

test('the lineup shows country codes, and every entry links to its category @proof', async ({ page }) => {
  await page.goto('/channels/lineup?tab=countries')
  const items = page.getByRole('tabpanel').getByRole('listitem')
  for (const [country, code] of Object.entries({ Germany: 'DE', Spain: 'ES', Mexico: 'MX', Portugal: 'PT' }))
    await expect(items.filter({ hasText: country }).locator('.mark')).toHaveText(code)
  await tab(page, 'Sports').click()
  await page.getByRole('link', { name: /^Ice Hockey/ }).click()
  await expect(page).toHaveURL('/channels?category=nhl_teams')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the search form finds channels by name', async ({ page }) => {
    await page.goto('/channels')
    await search(page).fill('harbor')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/channels?q=harbor')
    await expect(names(page)).toHaveText(['Harbor Drama'])
  })
})
