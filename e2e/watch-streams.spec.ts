import type { Page } from '@playwright/test'
import { expect } from '../test/harness/browser.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { sending, type TransportVariant, transportVariants } from '../test/harness/transport-variants.ts'
import { player, test, video } from './watching.ts'

type Video = HTMLVideoElement & { webkitAudioDecodedByteCount: number }
const start = async (page: Page) =>
  player(page)
    .getByRole('button', { name: /^Play / })
    .first()
    .click()
const facts = (page: Page) =>
  video(page).evaluate((element: Video) => ({
    at: element.currentTime,
    picture: element.videoWidth > 0,
    sound: element.webkitAudioDecodedByteCount > 0,
  }))

/** Expects that the stream plays for three seconds, or a message that this browser cannot play it. */
async function expectShown(page: Page, { shows }: TransportVariant): Promise<void> {
  if (shows === 'codec') {
    await expect(player(page).getByRole('alert')).toContainText('This browser cannot play this channel', {
      timeout: 15_000,
    })
    return
  }
  if (shows === 'any') {
    const isRefused = () => player(page).getByRole('alert').isVisible()
    await expect.poll(async () => (await isRefused()) || (await facts(page)).at > 3, { timeout: 20_000 }).toBe(true)
    return
  }
  await expect.poll(async () => (await facts(page)).at, { timeout: 20_000 }).toBeGreaterThan(0)
  const { at } = await facts(page)
  await expect.poll(async () => (await facts(page)).at, { timeout: 20_000 }).toBeGreaterThan(at + 3)
  expect(await facts(page)).toMatchObject({ picture: shows !== 'sound', sound: shows !== 'picture' })
}

test(`${transportVariants.length} kinds of transport streams play, or the page says what this browser lacks @proof`, async ({
  page,
  panel,
  offer,
  subscribe,
  allowPageError,
}) => {
  test.setTimeout(600_000)
  // The page stops a stream that it cannot play while hls.js still reads it.
  allowPageError(/\/stream\//)
  for (const [n, variant] of transportVariants.entries()) {
    panel.streams.modes[`kind${n}.ts`] = sending(variant)
    panel.streams.modes[`kind${n}`] = bytes('', 'text/html', 404)
  }
  const streams = transportVariants.map((_, n) => ({ stream_id: `kind${n}.1`, name: `Stream ${100 + n}` }))
  const channels = await offer(streams)
  await subscribe()
  const failed: string[] = []
  for (const [n, variant] of transportVariants.entries()) {
    await page.goto(`/watch/${channels[n]}`)
    await start(page)
    await expectShown(page, variant).catch(async (error: Error) => {
      failed.push(`${variant.name}: ${(await player(page).innerText()).slice(0, 80)} ${error.message.slice(0, 80)}`)
    })
  }
  expect(failed).toEqual([])
})

test('a damaged part of the stream is skipped, and the channel continues to play @proof', async ({
  page,
  panel,
  offer,
  subscribe,
  allowPageError,
}) => {
  // hls.js cancels the segment it is loading when the decoder fails.
  allowPageError(/\/stream\//)
  panel.streams.modes['cut.ts'] = sending(transportVariants.find(({ name }) => name === 'cut out bytes')!)
  panel.streams.modes.cut = bytes('', 'text/html', 404)
  const [channel] = await offer([{ stream_id: 'cut.1', name: 'Cove News' }])
  await subscribe('unsaid.4')
  await page.goto(`/watch/${channel}`)
  await start(page)
  // The decoder fails after 2.4 seconds.
  await expect.poll(async () => (await facts(page)).at, { timeout: 30_000 }).toBeGreaterThan(9)
  expect(await video(page).evaluate((element: Video) => element.paused)).toBe(false)
})

test('a channel with a codec that this browser lacks is stopped within seconds, and not requested again after its first play @proof', async ({
  page,
  newPage,
  panel,
  offer,
  subscribe,
}) => {
  const dolby = transportVariants.find(({ name }) => name === 'Dolby Digital sound')!
  panel.streams.modes['dolby.ts'] = sending(dolby)
  panel.streams.modes.dolby = bytes('', 'text/html', 404)
  panel.streams.modes['plain.ts'] = transport()
  panel.streams.modes.plain = bytes('', 'text/html', 404)
  const [channel] = await offer([
    { stream_id: 'dolby.1', name: 'Quay News' },
    { stream_id: 'plain.1', name: 'Harbor News' },
  ])
  for (const [viewer, line] of [
    [page, 'unsaid.2'],
    [await newPage(), 'unsaid.3'],
  ] as const) {
    await subscribe(line, viewer)
    const before = panel.streams.requests.length
    await viewer.goto(`/watch/${channel}`)
    await start(viewer)
    const began = Date.now()
    await expect(player(viewer)).toContainText('Dolby Digital', { timeout: 15_000 })
    // The message appears within seconds the first time, and without a request to the panel the second time.
    expect(Date.now() - began).toBeLessThan(8_000)
    if (viewer !== page) expect(panel.streams.requests).toHaveLength(before)
  }
})
