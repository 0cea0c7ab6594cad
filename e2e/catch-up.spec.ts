import type { Page } from '@playwright/test'
import { addListings } from '../test/harness/app-database.ts'
import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { type FakePanel, linePassword } from '../test/harness/fake-panel.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { buyPlan, sendWrite } from './order.ts'
import { offerChannels, timeZoneAtFive } from './watching.ts'

// Uses its own app, because it changes rights and listings. Right after the beginning of a day, the guide shows no past program.
test.use({ timezoneId: timeZoneAtFive, environment: { JOURNEYS: 'catch-up', LOG_LEVEL: 'info' } })

const player = (page: Page) => page.getByRole('region', { name: /^Player/ })
const video = (page: Page) => page.locator('video')
const seconds = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.currentTime)
const position = (page: Page) => player(page).getByRole('slider', { name: 'Position in the program' })
/** Seconds from the start of the program, as the slider has them. */
const atSecond = async (page: Page) => Number(await position(page).inputValue())

/** Two channels that the panel sends as transport streams only: one with an archive, one with Dolby Digital sound. */
async function offerTapes(admin: Caller, panel: FakePanel, data: string): Promise<number[]> {
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
  await addListings(data)
  return channelIds
}

test('a channel without HLS plays; a past program plays from the guide, can be moved in, and leads back to live', async ({
  page,
  register,
  adminCaller,
  panel,
  data,
}) => {
  const [id] = await offerTapes(adminCaller, panel, data)
  await register()
  await buyPlan(page, adminCaller, 1, 1)
  await sendWrite(page, 'post', '/api/iptv/sync', { iptvUsername: 'unsaid.1', iptvPassword: linePassword })

  await sendWrite(page, 'put', `/api/watchlist/${id}`, { listed: true })
  await page.goto(`/watch/${id}`)
  await player(page).getByRole('button', { name: 'Play Harbor News' }).click()
  await expect.poll(() => seconds(page), { timeout: 20_000 }).toBeGreaterThan(1)
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
  await expect.poll(() => seconds(page), { timeout: 20_000 }).toBeGreaterThan(1)
  // Any key brings the controls back, and the focus keeps them.
  await page.keyboard.press('Shift')
  await position(page).focus()
  await expect(position(page)).toHaveAttribute('aria-valuetext', /^0:\d\d of 60 minutes/)
  await expectAccessible(page)

  const before = panel.streams.requests.filter((path) => path.includes('/timeshift/')).length
  await position(page).fill('1800')
  await expect(position(page)).toHaveAttribute('aria-valuetext', /^30:0\d of 60 minutes/)
  await expect.poll(() => atSecond(page), { timeout: 20_000 }).toBeGreaterThan(1_800)
  expect(panel.streams.requests.filter((path) => path.includes('/timeshift/'))).toHaveLength(before + 1)
  await expect.poll(() => panel.streams.open(), { timeout: 20_000 }).toBe(1)
  await expect(position(page)).toBeFocused()
  await player(page).getByRole('button', { name: 'Go live' }).click()
  await expect(player(page).getByRole('button', { name: 'LIVE' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Harbor News \d\d$/)
  await expect(page.getByRole('region', { name: 'Program' })).toContainText('Every program for 2 days')
})
