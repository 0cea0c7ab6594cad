import type { Page } from '@playwright/test'
import { addListings } from '../test/harness/app-database.ts'
import { type Caller, expect, expectAccessible } from '../test/harness/browser.ts'
import { type FakePanel, linePassword } from '../test/harness/fake-panel.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { buyPlan, sendWrite } from './order.ts'
import { often } from './playback.ts'
import { offerChannels, test } from './watching.ts'
import type { Zone } from './zone-at-five.ts'

const player = (page: Page) => page.getByRole('region', { name: /^Player/ })
const video = (page: Page) => page.locator('video')
const seconds = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.currentTime)
const position = (page: Page) => player(page).getByRole('slider', { name: 'Position in the program' })
/** Returns the value of the slider: the seconds from the start of the program. */
const atSecond = async (page: Page) => Number(await position(page).inputValue())

/** Two channels that the panel sends as transport streams only: one with an archive, one with Dolby Digital sound. */
async function offerTapes(admin: Caller, panel: FakePanel, data: string, { minutesAhead }: Zone): Promise<number[]> {
  panel.streams.modes['tape.ts'] = transport({ burst: 20 })
  panel.streams.modes.tape = bytes('', 'text/html', 404)
  const channelIds = await offerChannels(
    admin,
    panel,
    [
      { stream_id: 'tape.1', name: 'Harbor News', num: 12, tv_archive: 1, tv_archive_duration: 2 },
      { stream_id: 'dolby.1', name: 'Quay News', num: 14 },
    ],
    48,
  )
  await addListings(data, { minutesAhead })
  return channelIds
}

test('a channel without HLS plays; a past program plays from the guide, supports seeking, and leads back to live', async ({
  page,
  register,
  adminCaller,
  panel,
  data,
  zone,
}) => {
  const [id] = await offerTapes(adminCaller, panel, data, zone)
  await register()
  await buyPlan(page, adminCaller, 1, 1)
  await sendWrite(page, 'post', '/api/iptv/sync', { iptvUsername: 'unsaid.1', iptvPassword: linePassword })

  await sendWrite(page, 'put', `/api/watchlist/${id}`, { listed: true })
  await page.goto(`/watch/${id}`)
  await player(page).getByRole('button', { name: 'Play Harbor News' }).click()
  await expect.poll(() => seconds(page), often).toBeGreaterThan(1)
  expect(await video(page).evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(320)
  await expect(player(page).getByRole('button', { name: 'LIVE' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/guide')
  const past = page.locator('button.guide-cell[data-archived]').first()
  await past.evaluate((element: HTMLElement) => element.focus())
  await expect(past).toHaveAccessibleName(/Ended\. Catch-up available\.$/)
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog')
  await expect(details).toContainText(/Catch-up until/)
  const title = await details.getByRole('heading').first().innerText()
  await details.getByRole('link', { name: 'Watch Catch-up' }).click()
  await expect(page).toHaveURL(/\/watch\/\d+\?from=/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect.poll(() => seconds(page), often).toBeGreaterThan(1)
  // Any key shows the controls again, and they stay visible while one of them has the focus.
  await page.keyboard.press('Shift')
  await position(page).focus()
  await expect(position(page)).toHaveAttribute('aria-valuetext', /^0:\d\d of 60 minutes/)
  await expectAccessible(page)

  const before = panel.streams.requests.filter((path) => path.includes('/timeshift/')).length
  await position(page).fill('1800')
  await expect(position(page)).toHaveAttribute('aria-valuetext', /^30:0\d of 60 minutes/)
  await expect.poll(() => atSecond(page), often).toBeGreaterThan(1_800)
  expect(panel.streams.requests.filter((path) => path.includes('/timeshift/'))).toHaveLength(before + 1)
  await expect.poll(() => panel.streams.open(), often).toBe(1)
  await expect(position(page)).toBeFocused()
  await player(page).getByRole('button', { name: 'Go live' }).click()
  await expect(player(page).getByRole('button', { name: 'LIVE' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Harbor News \d\d$/)
  await expect(page.getByRole('region', { name: 'Program' })).toContainText('Programs available for 2 days')
})

test('a search finds archived programs, also without scripts; the details of a program link to an earlier showing @proof', async ({
  page,
  register,
  adminCaller,
  panel,
  data,
  zone,
  allowPageError,
}) => {
  // The player requests a play although the customer has no subscription.
  allowPageError(/status of 403 .*\/api\/plays/)
  const [id] = await offerTapes(adminCaller, panel, data, zone)
  await register()
  await page.goto('/guide')
  const search = page.getByRole('searchbox', { name: 'Search programs and channels' })
  await search.fill('harbor news')
  const results = page.getByRole('button', { name: /Harbor News/ })
  const ended = results.filter({ hasText: 'Ended · ' })
  await expect(ended.first()).toContainText('Catch-up')
  await expect(results.first()).toContainText('On now')
  // The archive reaches further back than the listings, which begin a day ago.
  await expect(ended).toHaveCount(24)
  await expectAccessible(page)
  // Quay News has no archive.
  await search.fill('quay news')
  await expect(page.getByRole('button', { name: /Quay News/ }).first()).toContainText('On now')
  await expect(page.getByRole('button', { name: /Quay News/ }).filter({ hasText: 'Ended · ' })).toHaveCount(0)

  const days = page.getByRole('navigation', { name: 'Day' })
  await search.fill('harbor news')
  await expect(ended).toHaveCount(24)
  // The listings begin in the last hour of the previous day.
  const today = await days
    .getByRole('link')
    .evaluateAll((links) => links.findIndex((link) => link.textContent?.startsWith('Today')))
  await days
    .getByRole('link')
    .nth(today - 1)
    .click()
  await expect(page.getByRole('heading', { name: /^1 program for “harbor news” on \w+day, \w+ \d+$/ })).toBeVisible()
  await expect(results).toHaveCount(1)
  await expect(ended).toHaveCount(1)
  await expectAccessible(page)
  const html = await (await page.request.get('/guide?q=harbor+news')).text()
  expect(html).toContain('Catch-up')
  expect(html).toContain('Ended · ')

  await page.goto(`/guide?view=list&category=news&at=${new Date(Date.now() - 3 * 3_600_000).toISOString()}`)
  const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await expect(card('Harbor News')).toContainText(/ · Catch-up/)
  await expect(card('Quay News')).toContainText(/ · Ended/)

  await search.fill('harbor news')
  await results.filter({ hasText: 'On now' }).click()
  const details = page.getByRole('dialog')
  await expect(details.getByRole('heading', { name: 'More showings' })).toBeVisible()
  await expect(details.getByRole('button', { name: /^Remind me about Part \d\d, / })).toHaveCount(2)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await ended.first().click()
  await details.getByRole('button', { name: 'Add to Watchlist' }).click()
  await expect(details.getByRole('button', { name: 'On Your Watchlist' })).toBeVisible()
  await page.goto('/dashboard?tab=watchlist')
  const programs = page.getByRole('region', { name: 'Programs' })
  await expect(programs.getByRole('listitem')).toContainText(' · Ended')
  await expectAccessible(page)
  await expect(programs.getByRole('link', { name: /^Catch-up of Harbor News/ })).toHaveAttribute(
    'href',
    new RegExp(`^/watch/${id}\\?from=`),
  )

  await page.goto('/guide?q=harbor+news')
  await results.filter({ hasText: 'On now' }).click()
  await details.getByRole('link', { name: /^Watch catch-up of Part \d\d, Yesterday, / }).click()
  await expect(page).toHaveURL(new RegExp(`/watch/${id}\\?from=`))
})
