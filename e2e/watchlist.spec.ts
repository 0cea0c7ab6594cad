import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { sendWrite } from './order.ts'

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

test('the channels are ordered by keyboard and by pointer, and stay in that order', async ({ page, register }) => {
  await register()
  const lineup: { id: number; name: string }[] = await (await page.request.get('/api/channels')).json()
  const idOf = (name: string) => lineup.find((channel) => channel.name === name)!.id
  for (const name of ['Quiz Parlor', 'Kitchen Table', 'Retro Attic'])
    await sendWrite(page, 'put', `/api/watchlist/${idOf(name)}`, { listed: true })
  await page.goto('/dashboard?tab=watchlist')
  const items = list(page).getByRole('listitem')
  const move = (name: string, to: 'up' | 'down') => list(page).getByRole('button', { name: `Move ${name} ${to}` })
  await expect(items).toHaveText([/Retro Attic/, /Kitchen Table/, /Quiz Parlor/])
  await expect(move('Retro Attic', 'up')).toBeDisabled()
  await expect(move('Quiz Parlor', 'down')).toBeDisabled()
  await move('Quiz Parlor', 'up').focus()
  await page.keyboard.press('Enter')
  await expect(items).toHaveText([/Retro Attic/, /Quiz Parlor/, /Kitchen Table/])
  await expect(page.locator('#announcements')).toHaveText('Quiz Parlor, 2 of 3')
  await expect(move('Quiz Parlor', 'up')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(items).toHaveText([/Quiz Parlor/, /Retro Attic/, /Kitchen Table/])
  await expect(move('Quiz Parlor', 'down')).toBeFocused()
  await expect(page.locator('#announcements')).toHaveText('Quiz Parlor, 1 of 3')
  const { width, height } = (await move('Retro Attic', 'down').boundingBox())!
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  await move('Retro Attic', 'down').click()
  await expect(items).toHaveText([/Quiz Parlor/, /Kitchen Table/, /Retro Attic/])
  await expect(page.locator('#announcements')).toHaveText('Retro Attic, 3 of 3')
  await expectAccessible(page)
  await page.reload()
  await expect(items).toHaveText([/Quiz Parlor/, /Kitchen Table/, /Retro Attic/])
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
