import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

const list = (page: Page) => page.getByRole('region', { name: 'Watchlist' })
const preview = (page: Page) => page.getByRole('dialog')
async function openChannel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${name}\\b`) }).click()
  await expect(preview(page).getByRole('heading', { name })).toBeVisible()
}

test('a channel is added from its preview, listed in the account and removed again @proof', async ({
  page,
  register,
}) => {
  await register()
  await page.goto('/dashboard?tab=watchlist')
  await expect(list(page)).toContainText('Your watchlist is empty')
  await list(page).getByRole('link', { name: 'Browse Channels' }).click()
  await expect(page).toHaveURL('/channels')
  for (const name of ['Quiz Parlor', 'Kitchen Table', 'Retro Attic']) {
    await openChannel(page, name)
    await preview(page).getByRole('button', { name: 'Add to Watchlist' }).click()
    await expect(preview(page).getByRole('button', { name: 'Remove from Watchlist' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(preview(page)).toHaveCount(0)
  }
  await openChannel(page, 'Kitchen Table')
  await preview(page).getByRole('button', { name: 'Remove from Watchlist' }).click()
  await expect(preview(page).getByRole('button', { name: 'Add to Watchlist' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/dashboard?tab=watchlist')
  await expect(list(page).getByRole('listitem')).toHaveText([/Retro Attic/, /Quiz Parlor/])
  await list(page).getByRole('button', { name: 'Remove Retro Attic from watchlist' }).click()
  await expect(list(page).getByRole('listitem')).toHaveText([/Quiz Parlor/])
  await expect(list(page).getByRole('button', { name: 'Remove Quiz Parlor from watchlist' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(list(page)).toContainText('Your watchlist is empty')
  await expect(list(page).getByRole('link', { name: 'Browse Channels' })).toBeFocused()
})

test('a visitor sees no watchlist and does not request it @proof', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto('/channels')
  await openChannel(page, 'Quiz Parlor')
  await expect(preview(page).getByRole('link', { name: 'View Plans' })).toBeVisible()
  await expect(preview(page).getByRole('button', { name: /Watchlist/ })).toHaveCount(0)
  expect(requests.filter((url) => url.includes('watchlist'))).toEqual([])
})

test('a list that fails to load or to change shows an error @proof', async ({ page, register, allowPageError }) => {
  allowPageError(/status of 50\d/)
  await register()
  await page.goto('/channels')
  await openChannel(page, 'Quiz Parlor')
  await preview(page).getByRole('button', { name: 'Add to Watchlist' }).click()
  await expect(preview(page).getByRole('button', { name: 'Remove from Watchlist' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/dashboard?tab=watchlist')
  const refusal = {
    message: 'We cannot reach our records right now. Please try again in a moment.',
    code: 'unavailable',
  }
  await page.route('**/api/watchlist/*', (route) => route.fulfill({ status: 503, json: refusal }))
  await list(page).getByRole('button', { name: 'Remove Quiz Parlor from watchlist' }).click()
  await expect(page.getByRole('group', { name: 'Watchlist not changed' })).toContainText(refusal.message)
  await expect(list(page)).toContainText('Quiz Parlor')

  await page.goto('/dashboard')
  await page.route('**/api/watchlist', (route) => route.fulfill({ status: 503, json: refusal }))
  await page.getByRole('tab', { name: 'Watchlist' }).click()
  await expect(list(page).getByRole('alert')).toContainText('Error loading your watchlist')
  await page.unroute('**/api/watchlist')
  await list(page).getByRole('button', { name: 'Retry' }).click()
  await expect(list(page)).toContainText('Quiz Parlor')
})

inEachLook({ height: 844 }, () => {
  test('the watchlist is accessible when empty, filled and in the preview @proof', async ({ page, register }) => {
    await register()
    await page.goto('/dashboard?tab=watchlist')
    await expectAccessible(page)
    await page.goto('/channels')
    await openChannel(page, 'Quiz Parlor')
    await preview(page).getByRole('button', { name: 'Add to Watchlist' }).click()
    await expect(preview(page).getByRole('button', { name: 'Remove from Watchlist' })).toBeVisible()
    await expectAccessible(page)
    await page.goto('/dashboard?tab=watchlist')
    await expect(list(page)).toContainText('Quiz Parlor')
    await expect(page.getByRole('tab', { name: 'Watchlist' })).toBeInViewport({ ratio: 0.95 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
