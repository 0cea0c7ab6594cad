import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { bytes, liveWindow, playlist } from '../test/harness/fake-streams.ts'
import { looks } from '../test/harness/looks.ts'
import { holdScripts } from './hold-scripts.ts'
import { buyPlan, sendWrite } from './order.ts'
import { passTimeUntil } from './playback.ts'
import { button, connectLine, expectMoving, expectPlaying, expectSheet, player, seconds, test } from './watching.ts'

/** Checks the page in each color scheme and width: accessibility, no horizontal scrolling, and the size of touch targets. */
async function expectUsable(page: Page): Promise<void> {
  const before = page.viewportSize()!
  for (const { colorScheme, width } of looks([1440, 320])) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
    const tooWide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.dialog-body')].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    )
    expect(Math.max(...tooWide)).toBeLessThanOrEqual(0)
    if (width === 320) expect(await smallTargets(page)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}

/** Returns the buttons and inputs in the main part or a dialog that are less than 44 pixels high or wide. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, .btn, input, summary), [role=dialog] button')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .map((element) => (element instanceof HTMLInputElement ? (element.closest('label') ?? element) : element))
      .flatMap((element) => {
        const { width, height } = element.getBoundingClientRect()
        // 43.5 instead of 44, because of rounding.
        return width === 0 || (width > 43.5 && height > 43.5)
          ? []
          : [`${element.outerHTML.slice(0, 90)} ${width.toFixed(0)} x ${height.toFixed(0)}`]
      }),
  )

test('each state of the player is accessible and fits a narrow phone, and a message takes the focus if the focus was in the player', async ({
  page,
  register,
  newCaller,
  adminCaller,
  panel,
  offer,
  context,
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\/|ERR_INTERNET_DISCONNECTED|WebSocket/)
  panel.streams.modes.dark = bytes('', 'text/html', 404)
  const [newsId] = await offer(
    [
      { stream_id: 'news.1', name: 'Harbor News', num: 12, tv_archive: 1, tv_archive_duration: 2 },
      { stream_id: 'dark.1', name: 'Night News', num: 14 },
    ],
    { archiveHours: 48, listings: true },
  )
  await register()

  await page.goto('/watch')
  await expect(player(page).getByRole('alert')).toHaveText('You have no subscription yet')
  await expectUsable(page)
  await buyPlan(page, adminCaller, 1, 1)
  await expect(player(page)).toContainText('Your TV login is not ready yet')
  await expect(player(page).getByRole('link', { name: 'See the Progress' })).toBeVisible()
  await expectUsable(page)

  // Playback starts automatically when the login is ready.
  await connectLine(page)
  await expectPlaying(page)
  await expect(page.getByRole('link', { name: /^1 of 1 screen in use/ })).toHaveAttribute('href', '/screens')
  await expect(
    page
      .getByRole('region', { name: /^Today on Harbor News/ })
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
  await page.keyboard.press('Shift')
  await expectUsable(page)

  await page.keyboard.press('s')
  const strip = page.getByRole('region', { name: 'Channel strip' })
  await expect(strip.locator('[aria-current] .scene')).toBeVisible()
  await expect(strip.getByRole('button', { name: /^14 Night News/ }).locator('.scene')).toBeVisible()
  await expectUsable(page)
  await page.keyboard.press('Escape')

  // The guide opens over the picture, and playback continues.
  await button(page, 'Pause').focus()
  await page.keyboard.press('g')
  const guide = page.getByRole('region', { name: 'Guide', exact: true })
  const watched = guide.getByRole('button', { name: /You are watching this channel$/ })
  await expect(watched).toBeFocused()
  await expectMoving(page)
  await expectUsable(page)
  await page.keyboard.press('ArrowDown')
  await expect(guide.getByRole('button', { name: /On now\. Night News$/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  const next = guide.locator('[aria-current]').getByRole('button').nth(1)
  await expect(next).toBeFocused()
  await page.keyboard.press('Enter')
  const later = page.getByRole('dialog')
  await expect(later.getByRole('button', { name: 'Remind Me', exact: true })).toBeVisible()
  // Simulates Escape pressed before the dialog has the focus. A CSS selector is used, because role locators do not find the guide behind an open dialog.
  await page.locator('.player-guide [tabindex="0"]').dispatchEvent('keydown', { key: 'Escape' })
  await expect(later).toHaveCount(0)
  await expect(next).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(later.getByRole('button', { name: 'Remind Me', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(later).toHaveCount(0)
  await expect(next).toBeFocused()
  // A narrow window hides the later programs, and in a low window the rows scroll.
  await page.keyboard.press('ArrowRight')
  await expect(guide.locator('[aria-current]').getByRole('button').nth(2)).toBeFocused()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(next).toBeFocused()
  await expect(next).toBeInViewport()
  await page.keyboard.press('ArrowLeft')
  await expect(watched).toBeFocused()
  await page.setViewportSize({ width: 640, height: 260 })
  await expect(watched).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('g')
  await expect(guide).toHaveCount(0)
  await expect(button(page, 'Pause')).toBeFocused()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(keys).toContainText('Channel by number')
  await expectUsable(page)
  await expectSheet(keys)
  const single = keys.getByRole('checkbox', { name: 'Single-key shortcuts' })
  await single.uncheck()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  // With single-key shortcuts turned off, the key does nothing and the button opens the guide.
  await page.keyboard.press('g')
  await button(page, 'Guide').press('Enter')
  await expect(watched).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(guide).toHaveCount(0)
  await expect(button(page, 'Guide')).toBeFocused()
  await button(page, 'Keyboard shortcuts').press('Enter')
  await single.check()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await page.keyboard.press('i')
  const details = page.getByRole('dialog', { name: /^Harbor News/ })
  await expect(details.getByRole('link', { name: 'Watch from Start' })).toBeVisible()
  await expectUsable(page)
  await expectSheet(details)
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)

  await page.getByRole('button', { name: 'Report a Problem', exact: true }).click()
  await expect(page.getByText('Report sent', { exact: true })).toBeVisible()

  await context.setOffline(true)
  await expect(player(page).getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await expectUsable(page)
  await context.setOffline(false)
  await expect(player(page).getByRole('heading', { name: 'You are offline' })).toHaveCount(0)

  const other = await newCaller()
  await register({}, other)
  await sendWrite(other, 'post', '/api/reports', {
    contentType: 'channel',
    contentName: 'Night News',
    issue: 'not_working',
  })
  // An administrator starts to review the report.
  const [report] = (await (await adminCaller.request.get('/api/admin/reports?q=night')).json()) as { id: number }[]
  await sendWrite(adminCaller, 'put', `/api/admin/reports/${report!.id}`, { status: 'reviewing' })
  await sendWrite(page, 'put', `/api/watchlist/${newsId}`, { listed: true })
  await page.keyboard.press('Shift')
  await button(page, 'Pause').focus()
  await page.keyboard.type('14')
  await expect(player(page).getByRole('alert')).toHaveText('Night News is off the air', { timeout: 20_000 })
  await expect(player(page)).toContainText(
    /Another viewer has reported this\. Our team has been on it since \d+:\d\d [AP]M\./,
  )
  await expect(button(page, 'Try Now')).toBeFocused()
  await expectUsable(page)
  await button(page, 'Next Favorite').click()
  await expectPlaying(page)
  await expect(button(page, 'Pause')).toBeFocused()

  // Enter tunes to a channel of the guide.
  await page.keyboard.press('g')
  await expect(watched).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(guide).toHaveCount(0)
  await expect(player(page).getByRole('alert')).toHaveText('Night News is off the air', { timeout: 20_000 })
})

test('the screen is freed after a pause of five minutes, and a channel that stops sending is shown as off the air', async ({
  page,
  panel,
  offer,
  subscribe,
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\//)
  const prefix = `${panel.streams.balancer}/hls/unsaid.1/${encodeURIComponent(linePassword)}`
  // `stepMs`: how much the channel advances in addition to real time, each time its playlist is requested.
  let stepMs = 0
  let aheadMs = 0
  panel.streams.modes.moving = (response, request) => {
    aheadMs += stepMs
    playlist(...liveWindow(prefix, Date.now() + aheadMs))(response, request)
  }
  const [newsId] = await offer(
    [
      { stream_id: 'moving.1', name: 'Cove News', num: 12 },
      { stream_id: 'frozen.1', name: 'Late News', num: 14 },
    ],
    { listings: true },
  )
  await subscribe()
  await sendWrite(page, 'put', `/api/watchlist/${newsId}`, { listed: true })
  await page.clock.install()
  await page.goto(`/watch/${newsId}`)
  await button(page, /^Play/).click()
  await expectPlaying(page)

  // The pause is longer than the panel keeps the stream.
  stepMs = 4_000
  await page.keyboard.press('k')
  await expect(button(page, 'Play')).toBeVisible()
  const pausedAt = await seconds(page)
  await passTimeUntil(page, async () => expect(await seconds(page)).toBeGreaterThan(pausedAt + 5))
  stepMs = 0
  await page.keyboard.press('k')
  await expect(page.getByText('You are back at live', { exact: true })).toBeVisible()
  await expect(page.locator('.player-live')).toHaveText('LIVE')
  await expectMoving(page)

  await page.keyboard.press('k')
  await expect(button(page, 'Play')).toBeVisible()
  await page.clock.fastForward('05:10')
  await expect(player(page).getByRole('alert')).toHaveText('Paused for a while')
  await expect(page.getByRole('link', { name: /^0 of 1 screen in use/ })).toBeVisible()
  await expectUsable(page)
  await expect(page.getByText('You are back at live', { exact: true })).toHaveCount(0)
  await button(page, 'Continue').click()
  await expect(page.getByText('You are back at live', { exact: true })).toBeVisible()
  await expectPlaying(page)

  // The playlist no longer changes.
  panel.streams.modes.frozen = playlist(...liveWindow(prefix))
  await page.getByRole('button', { name: /Late News/ }).click()
  await expectPlaying(page)
  const alert = player(page).getByRole('alert')
  await passTimeUntil(page, () => expect(alert).toHaveText('Late News is off the air', { timeout: 100 }))

  // A failed automatic retry changes neither the message nor the focus.
  panel.streams.modes.frozen = bytes('', 'text/html', 404)
  await button(page, 'Report It').focus()
  const place = await button(page, 'Report It').boundingBox()
  const shown = await alert.elementHandle()
  let tries = 0
  const places: unknown[] = []
  await page.route('**/api/plays', async (route) => {
    if (route.request().method() === 'POST') {
      tries++
      await expect(player(page).locator('.player-next')).toHaveText('Trying again…')
      places.push(await button(page, 'Report It').boundingBox())
    }
    await route.continue()
  })
  await passTimeUntil(page, async () => expect(tries).toBe(2))
  await expect(player(page).locator('.player-next')).toHaveText(/^Next try in \d+ seconds\.$/)
  await expect(button(page, 'Report It')).toBeFocused()
  expect(await shown!.evaluate((element) => element.isConnected)).toBe(true)
  expect(places).toEqual([place, place])
})

test('clicks and input before the scripts have loaded are handled in the player and the channel list', async ({
  page,
  offer,
  subscribe,
}) => {
  await offer(
    [
      { stream_id: 'news.1', name: 'Harbor News' },
      { stream_id: 'direct.1', name: 'Bay News' },
    ],
    { listings: true },
  )
  await subscribe()
  const release = await holdScripts(page)

  await page.goto('/watch', { waitUntil: 'commit' })
  await button(page, /^Play/).click()
  await page.getByRole('searchbox', { name: 'Search channels and programs' }).fill('harbor')
  await page.getByRole('radio', { name: 'Recent' }).check()
  release()
  await expectPlaying(page)
  await expect(page.getByRole('radio', { name: 'Recent' })).toBeChecked()
  await expect(page.getByText('No channels or programs match your search.')).toBeVisible()
  await page.getByRole('radio', { name: 'All' }).check()
  await expect(page.getByRole('region', { name: 'Channels' }).getByRole('listitem')).toHaveCount(1)
})

test('clicks and input before the scripts have loaded are handled in the guide and on the Screens page @proof', async ({
  page,
  offer,
  subscribe,
}) => {
  await offer([{ stream_id: 'news.1', name: 'Harbor News' }], { listings: true })
  await subscribe()
  const releaseGuide = await holdScripts(page)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/guide?category=news', { waitUntil: 'commit' })
  await page
    .getByRole('button', { name: /On now\. / })
    .first()
    .click()
  releaseGuide()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Watch', exact: true })).toBeVisible()
  await page.unrouteAll()

  const releaseSearch = await holdScripts(page)
  await page.goto('/guide', { waitUntil: 'commit' })
  await page.getByRole('searchbox').fill('harbor')
  releaseSearch()
  await expect(page).toHaveURL(/q=harbor/)
  await expect(page.getByRole('heading', { name: /^\d+ programs for “harbor”/ })).toBeVisible()
  await page.unrouteAll()

  const releaseScreens = await holdScripts(page)
  await page.goto('/screens', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Pair a TV' }).first().click()
  releaseScreens()
  await expect(page.getByRole('dialog', { name: 'Pair a TV' })).toBeVisible()
})
