import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { often, passTimeUntil } from './playback.ts'
import { test as base, expectMoving, player, seconds, video } from './watching.ts'

/** Provides the ids of a live channel and of a channel with an archive that the panel sends as a transport stream. */
const test = base.extend<{ channelIds: number[] }>({
  channelIds: async ({ offer, panel }, use) => {
    panel.streams.modes['tape.ts'] = transport({ burst: 20 })
    panel.streams.modes.tape = bytes('', 'text/html', 404)
    const channelIds = await offer(
      [
        { stream_id: 'direct.1', name: 'Bay News' },
        { stream_id: 'tape.1', name: 'Harbor News', tv_archive: 1, tv_archive_duration: 2 },
      ],
      { archiveHours: 48, listings: true },
    )
    await use(channelIds)
  },
})
const streams = '**/stream/**'
const hasPicture = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.readyState >= 2)
const reconnecting = (page: Page) => player(page).getByRole('status').filter({ hasText: 'Reconnecting' })
async function start(page: Page): Promise<void> {
  await player(page).getByRole('button', { name: /^Play/ }).first().click()
  await expect.poll(() => seconds(page), often).toBeGreaterThan(0)
}

/** Plays a channel with a clock that the test moves on. */
async function startLive(page: Page, channelId: number | undefined): Promise<void> {
  await page.clock.install()
  await page.goto(`/watch/${channelId}`)
  await start(page)
}

/** Aborts all requests for the stream until the player reconnects and `whileLost` has ended, and waits until the channel plays again. */
async function loseStream(page: Page, whileLost?: () => Promise<void>): Promise<void> {
  await page.route(streams, (route) => route.abort())
  await passTimeUntil(page, () => expect(reconnecting(page)).toBeVisible({ timeout: 100 }))
  await whileLost?.()
  await page.unroute(streams)
  await passTimeUntil(page, () => expect(reconnecting(page)).toHaveCount(0, { timeout: 100 }))
  await expectMoving(page)
}

test('a lost stream reconnects while its last frame stays visible', async ({
  page,
  channelIds: [live],
  subscribe,
  allowPageError,
}) => {
  allowPageError(/\/api\/|\/stream\/|ERR_FAILED/)
  await subscribe('unsaid.1')
  await startLive(page, live)
  await loseStream(page, async () => {
    await expect(player(page)).toContainText(/Try [1-4] of 4/)
    expect(await hasPicture(page)).toBe(true)
    await expectAccessible(page)
  })
})

test('a stream is opened again after the response to the first attempt was lost, and is not taken for another tab', async ({
  page,
  channelIds: [live],
  subscribe,
  allowPageError,
}) => {
  allowPageError(/\/api\/|\/stream\/|ERR_FAILED/)
  await subscribe('unsaid.6')
  await startLive(page, live)
  let lost = 0
  await page.route('**/api/plays', async (route) => {
    if (route.request().method() !== 'POST' || lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await loseStream(page, () => expect.poll(() => lost, often).toBeGreaterThan(0))
  expect(lost).toBe(2)
})

test('a request that gets no response does not keep a lost stream from being opened again @proof', async ({
  page,
  channelIds: [live],
  subscribe,
  allowPageError,
}) => {
  allowPageError(/\/api\/|\/stream\/|ERR_FAILED/)
  await subscribe('unsaid.7')
  await startLive(page, live)
  const silent: string[] = []
  for (const [path, method] of [
    ['**/api/plays/*', 'GET'],
    ['**/api/plays', 'POST'],
  ] as const)
    await page.route(path, (route) => {
      const key = `${method} ${path}`
      if (route.request().method() !== method || silent.includes(key)) return route.continue()
      silent.push(key)
    })
  await loseStream(page)
  expect(silent).toHaveLength(2)
})

test('a recording continues where it stopped, after its stream and the network were lost @proof', async ({
  page,
  context,
  channelIds: [, tape],
  subscribe,
  zone,
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/|\/stream\/|ERR_FAILED|ERR_INTERNET_DISCONNECTED|WebSocket/)
  await subscribe('unsaid.5')
  await page.clock.install()
  const past = new Date(zone.startOfHour(-2)).toISOString()
  await page.goto(`/watch/${tape}?from=${past}`)
  await start(page)
  await page.keyboard.press('Shift')
  const position = player(page).getByRole('slider', { name: 'Position in the program' })
  const atSecond = async () => Number(await position.inputValue())
  await position.fill('1800')
  await expect.poll(atSecond, often).toBeGreaterThan(1_801)
  await page.route(streams, (route) => route.abort())
  await passTimeUntil(page, () => expect(reconnecting(page)).toBeVisible({ timeout: 100 }))
  await context.setOffline(true)
  await expect(player(page).getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await page.unroute(streams)
  expect(await hasPicture(page)).toBe(true)
  await context.setOffline(false)
  await passTimeUntil(page, () => expect(player(page).getByRole('heading')).toHaveCount(0, { timeout: 100 }))
  await expectMoving(page)
  await page.keyboard.press('Shift')
  expect(await atSecond()).toBeGreaterThan(1_800)
  expect(await atSecond()).toBeLessThan(1_900)

  // In forced-colors mode the seek bar still shows the position in the program.
  await page.emulateMedia({ forcedColors: 'active' })
  const line = page.locator('.seek-line')
  expect(await line.evaluate((element) => getComputedStyle(element).backgroundImage)).toContain('gradient')
  await page.emulateMedia({ forcedColors: 'none' })
})

test('after ten seconds without data the player shows the speed of the connection @proof', async ({
  page,
  channelIds: [live],
  subscribe,
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/stream\//)
  await subscribe('unsaid.2')
  await page.goto(`/watch/${live}`)
  await start(page)
  await page.route(/\/stream\/.*\.ts$/, () => undefined)
  await expect(player(page).getByRole('status').filter({ hasText: 'Buffering' })).toBeVisible({ timeout: 40_000 })
  await expect(player(page)).toContainText(/Your connection is at \d+\.\d Mbps\./)
  await expectAccessible(page)
  await expect(player(page).getByRole('link', { name: 'Check My Connection' })).toHaveAttribute(
    'href',
    `/check?channel=${live}`,
  )
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('with a ManagedMediaSource, as on an iPhone, the stream plays and is offered to AirPlay receivers @proof', async ({
  page,
  channelIds: [live],
  subscribe,
}) => {
  await subscribe('unsaid.3')
  await page.addInitScript(() => {
    Object.assign(globalThis, { ManagedMediaSource: MediaSource })
    Reflect.deleteProperty(globalThis, 'MediaSource')
  })
  await page.goto(`/watch/${live}`)
  await start(page)
  await expectMoving(page)
  const offered = await video(page).evaluate((element: HTMLVideoElement) => ({
    sources: [...element.querySelectorAll('source')].map(({ type, src }) => `${type} ${new URL(src).pathname}`),
    isOff: element.disableRemotePlayback,
  }))
  expect(offered).toEqual({
    sources: [expect.any(String), expect.stringMatching(/^application\/x-mpegURL \/stream\/.+\.m3u8$/)],
    isOff: false,
  })
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 844, height: 390 } })

  test('swiping up in full screen opens the channel strip, and a tap outside closes it @proof', async ({
    page,
    context,
    channelIds: [live],
    subscribe,
  }) => {
    await subscribe('unsaid.4')
    await page.goto(`/watch/${live}`)
    await start(page)
    const touch = await context.newCDPSession(page)
    const swipeUp = async () => {
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: 420, y }] })
      await send('touchStart', 260)
      for (let y = 250; y > 120; y -= 10) await send('touchMove', y)
      await send('touchEnd', 120)
    }
    const strip = page.getByRole('region', { name: 'Channel strip' })
    await swipeUp()
    await page.keyboard.press('Shift')
    await player(page).getByRole('button', { name: 'Full screen' }).tap()
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
    await expect(strip).toHaveCount(0)
    await swipeUp()
    await expect(strip).toBeVisible()
    await page.touchscreen.tap(420, 60)
    await expect(strip).toHaveCount(0)
  })
})
