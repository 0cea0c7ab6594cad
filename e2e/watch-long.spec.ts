import { expect, test } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { buyPlan, write } from './order.ts'
import { offerChannels } from './watching.ts'

// Uses its own app, because it changes rights and published channels.
test.use({ environment: { JOURNEYS: 'watch-long' } })

const playedSeconds = 20
type Video = HTMLVideoElement & { webkitAudioDecodedByteCount: number; webkitVideoDecodedByteCount: number }

test(`HLS and a transport stream play for ${playedSeconds} seconds without an error, with picture and sound @proof`, async ({
  page,
  register,
  adminCaller,
  panel,
}) => {
  test.setTimeout(180_000)
  panel.streams.modes['tape.ts'] = transport()
  panel.streams.modes.tape = bytes('', 'text/html', 404)
  const channels = await offerChannels(adminCaller, panel, [
    { stream_id: 'direct.1', name: 'Bay News' },
    { stream_id: 'tape.1', name: 'Harbor News' },
  ])
  await register()
  await buyPlan(page, adminCaller, 1, 1)
  await write(page, 'post', '/api/iptv/sync', { iptvUsername: 'unsaid.1', iptvPassword: linePassword })
  const facts = () =>
    page.locator('video').evaluate((element: Video) => ({
      at: element.currentTime,
      width: element.videoWidth,
      sound: element.webkitAudioDecodedByteCount,
      picture: element.webkitVideoDecodedByteCount,
    }))
  for (const id of channels) {
    await page.goto(`/watch/${id}`)
    await page
      .getByRole('region', { name: /^Player/ })
      .getByRole('button', { name: /^Play/ })
      .first()
      .click()
    await expect.poll(async () => (await facts()).at, { timeout: 20_000 }).toBeGreaterThan(0)
    const before = await facts()
    await expect
      .poll(async () => (await facts()).at, { timeout: 60_000, intervals: [500] })
      .toBeGreaterThan(before.at + playedSeconds)
    const after = await facts()
    expect(after.width).toBe(320)
    expect([after.sound > before.sound, after.picture > before.picture]).toEqual([true, true])
  }
})
