// When the player stops and frees its screen: on the sleep timer, in a hidden page, without input, and when another tab of the same browser plays.
import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { often } from './playback.ts'
import { alert, test as base, button, player, seconds } from './watching.ts'

/** In each test, a customer with one screen can watch two channels with listings. */
const test = base.extend<{ channelIds: number[] }>({
  channelIds: [
    async ({ offer, subscribe }, use) => {
      const channelIds = await offer(
        [
          { stream_id: 'news.1', name: 'Harbor News', num: 12 },
          { stream_id: 'direct.1', name: 'Bay News', num: 14 },
        ],
        { listings: true },
      )
      await subscribe()
      await use(channelIds)
    },
    { auto: true },
  ],
})
const screens = (page: Page, used: number) =>
  expect(page.getByRole('link', { name: new RegExp(`^${used} of 1 screen in use`) })).toBeVisible()
/** Expects that playback advances by more than half a second, with the controls of a running play. */
async function expectMoving(page: Page): Promise<void> {
  await expect(button(page, 'Pause')).toBeAttached({ timeout: 20_000 })
  // A live stream does not begin at 0: the player first jumps to its position.
  await expect.poll(() => seconds(page), often).toBeGreaterThan(0)
  const before = await seconds(page)
  await expect.poll(() => seconds(page), often).toBeGreaterThan(before + 0.5)
  await expect(alert(page)).toHaveCount(0)
}
/** Opens a channel and plays it. */
async function play(page: Page, channelId: number): Promise<void> {
  await page.goto(`/watch/${channelId}`)
  await button(page, /^Play/).click()
  await expectMoving(page)
}

/** Simulates that the page is hidden or shown. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** Expects that playback has stopped with this message and freed its screen. Then continues playback. */
async function continueAfter(page: Page, message: string): Promise<void> {
  await expect(alert(page)).toHaveText(message)
  await expectAccessible(page)
  await screens(page, 0)
  await button(page, 'Continue').click()
  await expectMoving(page)
}

test('a second tab takes over playback; the first tab shows this and can be left without stopping the second', async ({
  page,
  context,
  channelIds: [newsId, bayId],
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\//)
  await play(page, newsId!)

  const second = await context.newPage()
  await play(second, bayId!)
  await expect(alert(page)).toHaveText('Playback moved to another tab')
  await expectAccessible(page)
  await button(page, 'Play Here').click()
  await expectMoving(page)
  await expect(alert(second)).toHaveText('Playback moved to another tab')
  await button(second, 'Play Here').click()
  await expectMoving(second)
  await expect(alert(page)).toHaveText('Playback moved to another tab')

  await page.goto('/faq')
  await expectMoving(second)
  await screens(second, 1)
  // Leaving the page that plays frees the screen.
  await second.goto('/faq')
  await page.goto('/watch')
  await screens(page, 0)
})

test('the screen is freed when the page is hidden without sound and after hours without input, and playback continues on request', async ({
  page,
  channelIds: [newsId],
  allowPageError,
}) => {
  allowPageError(/\/api\/plays|\/stream\//)
  await page.clock.install()
  await play(page, newsId!)
  await page.keyboard.press('m')
  await expect(button(page, 'Unmute')).toBeAttached()
  await setHidden(page, true)
  await page.clock.fastForward('10:10')
  await expect(alert(page)).toHaveText('Paused for a while')
  await screens(page, 0)
  await setHidden(page, false)
  await button(page, 'Continue').click()
  await expectMoving(page)
  await page.clock.fastForward('04:00:30')
  await continueAfter(page, 'Are you still there?')
  await screens(page, 1)
})

test('a hidden page with sound keeps its screen, and the ten minutes and four hours begin again when the page is shown or used @proof', async ({
  page,
  channelIds: [newsId],
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\//)
  await page.clock.install()
  await play(page, newsId!)

  // With sound, playback continues.
  await setHidden(page, true)
  await page.clock.fastForward('15:00')
  await expectMoving(page)
  await page.keyboard.press('m')
  await page.clock.fastForward('09:40')
  await expectMoving(page)
  // Showing the page restarts the ten minutes.
  await setHidden(page, false)
  await setHidden(page, true)
  await page.clock.fastForward('09:40')
  await expectMoving(page)
  await page.clock.fastForward('00:30')
  await expect(alert(page)).toHaveText('Paused for a while')
  await setHidden(page, false)
  await button(page, 'Continue').click()
  await expectMoving(page)

  await page.clock.fastForward('03:59:30')
  await expectMoving(page)
  await page.keyboard.press('Shift')
  await page.clock.fastForward('03:59:30')
  await expectMoving(page)
  await page.clock.fastForward('01:00')
  await expect(alert(page)).toHaveText('Are you still there?')
})

test('administrators choose after how many hours without input playback stops, or that it never does', async ({
  page,
  signInAdmin,
  channelIds: [newsId],
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\//)
  const admin = await signInAdmin()
  const setting = admin.getByRole('form', { name: 'Playback without input' })
  const save = async (hours: string) => {
    await admin.goto('/admin/watching')
    await setting.getByLabel('Hours without input until playback stops').fill(hours)
    await setting.getByRole('button', { name: 'Save Changes' }).click()
  }
  await save('30')
  await expect(setting).toContainText('Please enter a number of hours from 0 to 24')
  await expect(setting.getByLabel('Hours without input until playback stops')).toHaveValue('30')
  await expectAccessible(admin)

  await save('0')
  await expect(admin.getByText('Pages that are open apply the change after a reload.')).toBeVisible()
  await page.clock.install()
  await play(page, newsId!)
  await page.clock.fastForward('25:00:00')
  await expectMoving(page)

  await save('1')
  await expect(admin.getByText('Pages that are open apply the change after a reload.')).toBeVisible()
  await play(page, newsId!)
  await page.clock.fastForward('59:30')
  await expectMoving(page)
  await page.clock.fastForward('01:00')
  await expect(alert(page)).toHaveText('Are you still there?')
  await expect(player(page)).toContainText('Nothing was pressed for an hour')
  // The other tests expect the default.
  await save('4')
})

const choose = async (page: Page, name: RegExp | string) => {
  await page.keyboard.press('Shift')
  await button(page, 'Sleep timer').click()
  await player(page).getByRole('radio', { name }).check()
}
const expectChosen = async (page: Page, name: RegExp | string) => {
  await page.keyboard.press('Shift')
  await button(page, 'Sleep timer').click()
  await expect(player(page).getByRole('radio', { name })).toBeChecked()
  await page.keyboard.press('Escape')
}

test('the sleep timer stops playback after the chosen time, also after a channel change, and the player shows why @proof', async ({
  page,
  channelIds: [newsId],
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\//)
  await page.clock.install()
  await play(page, newsId!)
  await choose(page, '90 minutes')
  await page.getByRole('radio', { name: /^30 minutes/ }).check()
  await expect(player(page).getByRole('radio', { name: /^30 minutes At \d+:\d\d [AP]M/ })).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.clock.fastForward('29:30')
  await expectMoving(page)
  // Changing the channel does not reset the timer.
  await page.keyboard.press('PageDown')
  await expectMoving(page)
  await page.clock.fastForward('01:00')
  await continueAfter(page, 'The sleep timer stopped playback')
  await expectChosen(page, 'Off')
})

test('the sleep timer can be turned off, and can stop playback at the end of the program @proof', async ({
  page,
  channelIds: [newsId],
  zone: { minutesAhead },
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/plays|\/stream\//)
  await page.clock.install()
  await play(page, newsId!)
  await choose(page, '60 minutes')
  await page.getByRole('radio', { name: 'Off' }).check()
  await page.keyboard.press('Escape')
  await page.clock.fastForward('01:01:00')
  await expectMoving(page)

  await choose(page, /^End of this program/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('PageUp')
  await expect(page.getByText('The sleep timer is off', { exact: true })).toBeVisible()
  await expectMoving(page)
  await expectChosen(page, 'Off')

  const now = () => page.evaluate(() => Date.now())
  const msToEnd = async () => 3_600_000 - (((await now()) + minutesAhead * 60_000) % 3_600_000)
  if ((await msToEnd()) < 60_000) await page.clock.fastForward(120_000)
  await choose(page, /^End of this program \d+:00 [AP]M/)
  await page.keyboard.press('Escape')
  await page.clock.fastForward((await msToEnd()) - 20_000)
  await expectMoving(page)
  await page.clock.fastForward(60_000)
  await expect(alert(page)).toHaveText('The sleep timer stopped playback')
  await screens(page, 0)
})

test('a TV frees its screen after a pause of five minutes and after four hours without input @proof', async ({
  page,
  allowPageError,
}) => {
  test.setTimeout(120_000)
  allowPageError(/\/api\/(tv|plays)|\/stream\//)
  await page.clock.install()
  // A logged-in browser can use the TV page without pairing.
  await page.goto('/tv')
  await page.getByRole('button', { name: /Harbor News/ }).press('Enter')
  const expectPicture = async () => {
    // A live stream does not begin at 0: the player first jumps to its position.
    await expect.poll(() => seconds(page), often).toBeGreaterThan(0)
    const before = await seconds(page)
    await expect.poll(() => seconds(page), often).toBeGreaterThan(before + 0.5)
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  const expectGivenBack = async (title: string) => {
    await expect(page.getByRole('alert').getByRole('heading')).toHaveText(title)
    await expect.poll(async () => (await page.request.get('/api/plays')).json()).toEqual([])
    await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expectPicture()
  }
  await expectPicture()
  // The player counts from the `pause` event.
  await page.locator('video').evaluate((video) => {
    video.addEventListener('pause', () => video.setAttribute('data-was-paused', ''), { once: true })
  })
  await page.keyboard.press('Enter')
  await expect(page.locator('video')).toHaveAttribute('data-was-paused')
  await page.clock.fastForward('04:30')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.clock.fastForward('01:00')
  await expectGivenBack('Paused for a while')

  await page.clock.fastForward('03:59:30')
  await expectPicture()
  await page.clock.fastForward('01:00')
  await expectGivenBack('Are you still there?')
})
