import type { Page } from '@playwright/test'
import { expect } from '../test/harness/browser.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { player, test, video } from './watching.ts'

const playedSeconds = 20
type Video = HTMLVideoElement & { webkitAudioDecodedByteCount: number; webkitVideoDecodedByteCount: number }

const start = (page: Page) => player(page).getByRole('button', { name: /^Play/ }).first().click()
const facts = (page: Page) =>
  video(page).evaluate((element: Video) => ({
    at: element.currentTime,
    width: element.videoWidth,
    sound: element.webkitAudioDecodedByteCount,
    picture: element.webkitVideoDecodedByteCount,
  }))

// Must run first: the test switches through all channels of the app, and the other test adds channels.
test('ten channel changes a second end on the last channel, and request few streams from the panel @proof', async ({
  page,
  panel,
  offer,
  subscribe,
}) => {
  test.setTimeout(120_000)
  const presses = 100
  const names = Array.from({ length: 12 }, (_, n) => `News ${100 + n}`)
  await offer(
    // The `/live/` URLs of these channels redirect, so reloading the playlist is not counted.
    names.map((name, n) => ({ stream_id: `news.${50 + n}`, name })),
  )
  await subscribe()
  await page.goto('/watch')
  await start(page)
  await expect.poll(async () => (await facts(page)).at, { timeout: 20_000 }).toBeGreaterThan(1)
  const first = names.indexOf(await page.getByRole('heading', { level: 1 }).innerText())
  const live = () => panel.streams.requests.filter((path) => path.includes('/live/'))
  const before = live().length
  for (let n = 0; n < presses; n++) {
    await page.keyboard.press('PageDown')
    await page.waitForTimeout(100)
  }
  const last = (first + presses) % names.length
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(names[last]!)
  await expect.poll(() => live().at(-1)).toContain(`/news.${50 + last}.`)
  await expect.poll(async () => (await facts(page)).at, { timeout: 20_000 }).toBeGreaterThan(1)
  // On a slow machine a key press may be late. Then the channel of that moment is requested, too.
  expect(live().length - before).toBeLessThanOrEqual(5)
})

test(`HLS, a transport stream and a recording play for ${playedSeconds} seconds without an error, with picture and sound @proof`, async ({
  page,
  panel,
  offer,
  subscribe,
  zone,
}) => {
  test.setTimeout(240_000)
  panel.streams.modes['tape.ts'] = transport({ burst: 8 })
  panel.streams.modes.tape = bytes('', 'text/html', 404)
  const [live, tape] = await offer(
    [
      { stream_id: 'direct.1', name: 'Bay News' },
      { stream_id: 'tape.1', name: 'Harbor News', tv_archive: 1, tv_archive_duration: 2 },
    ],
    { archiveHours: 48, listings: true },
  )
  await subscribe()
  const past = new Date(zone.startOfHour(-2)).toISOString()
  for (const path of [`/watch/${live}`, `/watch/${tape}`, `/watch/${tape}?from=${past}`]) {
    await page.goto(path)
    await start(page)
    await expect.poll(async () => (await facts(page)).at, { timeout: 20_000 }).toBeGreaterThan(0)
    const before = await facts(page)
    await expect
      .poll(async () => (await facts(page)).at, { timeout: 60_000, intervals: [500] })
      .toBeGreaterThan(before.at + playedSeconds)
    const after = await facts(page)
    expect(after.width).toBe(320)
    expect([after.sound > before.sound, after.picture > before.picture]).toEqual([true, true])
  }
  expect(panel.streams.requests.filter((path) => path.includes('/timeshift/'))).not.toEqual([])
})
