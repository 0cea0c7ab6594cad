// A recording continues where it was left: from the guide, from the viewing page and on a TV.
import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { bytes, transport } from '../test/harness/fake-streams.ts'
import { looks } from '../test/harness/looks.ts'
import { sendWrite } from './order.ts'
import { often } from './playback.ts'
import { test as base } from './watching.ts'

/** In each test, a customer can watch the recordings of one channel. `leftAt` returns the position of the stored recording in seconds, 0 if none is stored. */
const test = base.extend<{ leftAt: () => Promise<number> }>({
  leftAt: [
    async ({ page, panel, offer, subscribe, allowPageError }, use) => {
      allowPageError(/\/api\/(tv|plays|watch|guide|device-codes)|\/stream\//)
      // Like a real panel, sends the part of the minute that precedes the position at once.
      panel.streams.modes['tape.ts'] = transport({ burst: 120 })
      panel.streams.modes.tape = bytes('', 'text/html', 404)
      const tape = { stream_id: 'tape.1', name: 'Harbor News', num: 12, tv_archive: 1, tv_archive_duration: 2 }
      const [id] = await offer([tape], { archiveHours: 48, listings: true })
      await subscribe()
      // The grid of the guide begins with the favorites.
      await sendWrite(page, 'put', `/api/watchlist/${id}`, { listed: true })
      await use(async () => {
        const { items } = (await (await page.request.get('/api/watch-progress')).json()) as {
          items: { positionMs: number }[]
        }
        return (items[0]?.positionMs ?? 0) / 1000
      })
    },
    { auto: true },
  ],
})

const player = (page: Page) => page.getByRole('region', { name: /^Player/ })
const seconds = (page: Page) => page.locator('video').evaluate((element: HTMLVideoElement) => element.currentTime)
const position = (page: Page) => player(page).getByRole('slider', { name: 'Position in the program' })
/** Seconds from the start of the program, as the slider has them. */
const atSecond = async (page: Page) => Number(await position(page).inputValue())
const strip = (page: Page) => page.getByRole('region', { name: 'Continue Watching' })
const toast = (page: Page, title: string | RegExp) => page.locator('.toast').filter({ hasText: title })
/** Opens the details of the first program in the guide that can be watched from the archive. Returns the dialog. */
async function openPastProgram(page: Page) {
  await page.goto('/guide')
  const past = page.locator('button.guide-cell[data-archived]').first()
  await past.evaluate((element: HTMLElement) => element.focus())
  await page.keyboard.press('Enter')
  return page.getByRole('dialog')
}

/** Plays the first recording of the guide, seeks to minute 30 and leaves the page. */
async function leaveRecording(page: Page, leftAt: () => Promise<number>): Promise<void> {
  const details = await openPastProgram(page)
  await expect(details.getByRole('link', { name: /^Continue at/ })).toHaveCount(0)
  await details.getByRole('link', { name: 'Watch Catch-up' }).click()
  await expect.poll(() => seconds(page), often).toBeGreaterThan(1)
  await page.keyboard.press('Shift')
  await position(page).fill('1800')
  await expect.poll(() => atSecond(page), often).toBeGreaterThan(1_801)
  await page.goto('/faq')
  await expect.poll(leftAt).toBeGreaterThan(1_800)
}

test('a recording continues where it was left, from the guide and the viewing page; it can be removed, and the history turned off', async ({
  page,
  leftAt,
}) => {
  test.setTimeout(120_000)
  // Nothing has been watched yet.
  await page.goto('/watch')
  await expect(page.getByRole('region', { name: /^Today on/ })).toBeVisible()
  await expect(strip(page)).toHaveCount(0)

  await leaveRecording(page, leftAt)

  const details = await openPastProgram(page)
  const onward = details.getByRole('link', { name: /^Continue at 30:\d\d$/ })
  await expect(onward).toBeVisible()
  await expect(details.getByRole('link', { name: 'Watch from Start' })).toBeVisible()
  await expectAccessible(page)
  await onward.click()
  await expect(toast(page, /^Resumed at (29:5|30:)/).getByRole('button', { name: 'Watch from Start' })).toBeVisible({
    timeout: 20_000,
  })
  await expectAccessible(page)
  await expect.poll(() => atSecond(page), often).toBeGreaterThan(1_790)
  expect(await atSecond(page)).toBeLessThan(1_840)
  // The recording that is playing is not offered.
  await expect(strip(page)).toHaveCount(0)
  await page.goto('/watch')

  const card = strip(page).getByRole('listitem')
  await expect(card).toHaveText(/^3[01] min leftHarbor News \d\dHarbor News · Part \d\d$/)
  for (const { colorScheme, width } of looks()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })

  await card.getByRole('button', { name: /^Remove Harbor News/ }).click()
  await expect(page.locator('#announcements')).toHaveText(/^Harbor News \d\d removed$/)
  await expect(strip(page)).toHaveCount(0)
  await expect.poll(leftAt).toBe(0)

  await page.goto('/dashboard?tab=watchlist')
  const history = page.getByRole('region', { name: 'Watch history' })
  const box = history.getByRole('checkbox', { name: 'Remember where I stopped in recordings' })
  await expect(box).toBeChecked()
  await expectAccessible(page)
  await box.click()
  await expect(toast(page, 'Watch history turned off')).toBeVisible()
  await expect(box).not.toBeChecked()
  await box.click()
  await expect(box).toBeChecked()
})

test('a recording continues on a TV where it was left @proof', async ({ page, newPage, leftAt, zone }) => {
  test.setTimeout(120_000)
  await leaveRecording(page, leftAt)
  const tv = await newPage()
  await tv.setViewportSize({ width: 1920, height: 1080 })
  await tv.goto('/tv')
  const code = (await tv.locator('output').textContent())!
  await page.goto(`/link?c=${code.replace('-', '')}`)
  const pairing = page.getByRole('dialog', { name: 'Pair a TV' })
  await pairing.getByLabel('Name').fill('Bedroom')
  await pairing.getByRole('button', { name: 'Pair TV' }).click()
  await expect(tv.getByRole('button', { name: /^12/ })).toBeFocused({ timeout: 15_000 })
  await expect(strip(tv).getByRole('button')).toHaveText(/Harbor News \d\dHarbor News · 3[01] min left/)
  await expectAccessible(tv)
  await tv.keyboard.press('ArrowUp')
  await expect(strip(tv).getByRole('button')).toBeFocused()
  await tv.keyboard.press('Enter')
  const notice = tv.locator('.tv-resumed')
  await expect(notice).toContainText(/Resumed at (29:5|30:)/, { timeout: 20_000 })
  await expect(tv.locator('.tv-banner').first()).toHaveText(/^12 Harbor News/)
  await expect.poll(() => seconds(tv), often).toBeGreaterThan(0)
  await expectAccessible(tv)
  await tv.keyboard.press('ArrowLeft')
  await expect(notice.getByRole('button', { name: 'Watch from Start' })).toBeFocused()
  const restarted = tv.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().includes('/api/plays/'),
  )
  await tv.keyboard.press('Enter')
  // All programs begin at the same minute in UTC.
  const minute = new Date(zone.startOfHour(0)).toISOString().slice(14, 16)
  expect((await restarted).request().postDataJSON()).toEqual({
    from: expect.stringMatching(new RegExp(`T\\d\\d:${minute}:00\\.000Z$`)),
    tab: expect.any(String),
  })
  await expect.poll(() => seconds(tv), often).toBeGreaterThan(0)
  await expect(notice).toHaveCount(0)
  await tv.keyboard.press('Escape')
  await expect(strip(tv).getByRole('button')).toBeFocused()
})

test('an error that prevents the recordings from loading is shown, and after a retry a recording is watched from its start @proof', async ({
  page,
  leftAt,
}) => {
  test.setTimeout(120_000)
  await leaveRecording(page, leftAt)
  await page.route('**/api/watch-progress', (route) =>
    route.fulfill({ status: 503, json: { message: 'Busy', code: 'busy' } }),
  )
  await page.goto('/watch')
  await expect(strip(page).getByRole('alert')).toContainText('Continue Watching could not be loaded')
  await expectAccessible(page)
  await page.unroute('**/api/watch-progress')
  await strip(page).getByRole('button', { name: 'Retry' }).click()
  await strip(page).getByRole('listitem').getByRole('link').click()
  const again = toast(page, /^Resumed at/).getByRole('button', { name: 'Watch from Start' })
  await again.click({ timeout: 20_000 })
  await page.keyboard.press('Shift')
  await expect(position(page)).toHaveAttribute('aria-valuetext', /^0:\d\d of 60 minutes/, { timeout: 20_000 })
})
