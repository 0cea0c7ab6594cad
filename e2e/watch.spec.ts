import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible } from '../test/harness/browser.ts'
import { type FakePanel, linePassword } from '../test/harness/fake-panel.ts'
import { bytes } from '../test/harness/fake-streams.ts'
import { test } from './lineup.ts'
import { buyPlan, sendWrite } from './order.ts'
import { often } from './playback.ts'

/** A line that no other test uses, so that all requests with its username come from this test. */
const line = 'unsaid.40'
const player = (page: Page) => page.getByRole('region', { name: /^Player/ })
const video = (page: Page) => page.locator('video')
const seconds = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.currentTime)
const press = (page: Page, name: string | RegExp) => player(page).getByRole('button', { name }).click()
const channelButton = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Channels' }).getByRole('button', { name: new RegExp(`^${name}`) })

async function importChannels(admin: Caller, panel: FakePanel): Promise<void> {
  panel.watch.categories = [{ category_id: '1', category_name: 'News' }]
  panel.watch.streams = [
    ['news.1', 'Harbor News'],
    ['direct.1', 'Bay News'],
    ['dark.1', 'Night News'],
  ].map(([stream_id, name]) => ({ stream_id, name, stream_type: 'live', category_id: '1' }))
  await sendWrite(admin, 'post', '/api/admin/channel-import', {
    iptvUsername: 'line',
    iptvPassword: linePassword,
    categories: { news: '1' },
    show: true,
  })
}

/** Expects that the playback time advances by more than one second, with picture and sound. */
async function expectPlaying(page: Page): Promise<void> {
  await expect.poll(() => seconds(page), often).toBeGreaterThan(0)
  const before = await seconds(page)
  await expect.poll(() => seconds(page), often).toBeGreaterThan(before + 1)
  const facts = await video(page).evaluate((element: HTMLVideoElement) => ({
    width: element.videoWidth,
    sound: (element as HTMLVideoElement & { webkitAudioDecodedByteCount: number }).webkitAudioDecodedByteCount > 0,
  }))
  expect(facts).toEqual({ width: 320, sound: true })
}

test('an administrator confirms rights, a customer watches and changes the channel, and another browser takes over the screen', async ({
  page,
  register,
  newPage,
  signInAdmin,
  adminCaller,
  panel,
  allowPageError,
}) => {
  allowPageError(/\/api\/plays|\/stream\//)
  await importChannels(adminCaller, panel)
  panel.streams.modes.dark = bytes('', 'text/html', 404)

  const admin = await signInAdmin()
  await admin.goto('/watch')
  await expect(admin.getByText('No channels to watch here yet')).toBeVisible()
  // The page has its margin although the navigation bar for watching is not shown yet.
  expect((await admin.getByRole('heading', { name: 'Watch', exact: true }).boundingBox())!.x).toBeGreaterThan(15)
  await admin.goto('/admin/watching')
  await admin.getByRole('button', { name: 'Record Right' }).first().click()
  const dialog = admin.getByRole('dialog', { name: 'Record Right' })
  await dialog.getByLabel('Channels').selectOption('category:news')
  await dialog.getByLabel('Licensor').fill('Harbor Media')
  await dialog.getByLabel('Source').fill('Satellite feed')
  await dialog.getByLabel('Territory').fill('world')
  await dialog.getByLabel('First day').fill('2026-01-01')
  await dialog.getByLabel('Last day').fill('2099-12-31')
  await dialog.getByLabel('Document').fill('Contract 4711')
  await dialog.getByRole('button', { name: 'Record Right' }).click()
  await admin.getByRole('button', { name: 'Publish 3 channels' }).click()
  await admin.getByRole('button', { name: 'Publish', exact: true }).click()
  await admin.getByRole('button', { name: 'Confirm Rights and Turn On' }).click()
  await admin.getByRole('checkbox', { name: /I confirm/ }).check()
  await admin.getByRole('button', { name: 'Turn On', exact: true }).click()
  await expect(admin.getByText(/Customers can watch 3 published channels/)).toBeVisible()
  await expectAccessible(admin)

  const { username, password } = await register()
  await buyPlan(page, adminCaller, 1, 1)
  await sendWrite(page, 'post', '/api/iptv/sync', { iptvUsername: line, iptvPassword: linePassword })
  await page.goto('/watch')
  await expectAccessible(page)
  expect(panel.streams.requests.filter((path) => path.includes(line))).toEqual([])
  await press(page, 'Play Bay News')
  await expectPlaying(page)
  await expectAccessible(page)

  await channelButton(page, 'Harbor News').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbor News')
  await expectPlaying(page)
  expect(new URL(page.url()).pathname).toMatch(/^\/watch\/\d+$/)
  await page.keyboard.press('PageUp')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bay News')
  await expectPlaying(page)

  const other = await newPage()
  await sendWrite(other, 'post', '/api/login', { username, password })
  await other.goto('/watch')
  await press(other, 'Play Bay News')
  await expect(player(other).getByRole('alert')).toContainText('Your screen is in use')
  await expectAccessible(other)
  await press(other, /^Use It Here/)
  await expectPlaying(other)
  await expect(player(page).getByRole('alert')).toContainText(/Playback moved to/)
  await press(page, 'Take It Back')
  await expectPlaying(page)
  await expect(player(other).getByRole('alert')).toContainText(/Playback moved to/)

  await channelButton(page, 'Night News').click()
  await expect(player(page).getByRole('alert')).toContainText('Night News is off the air')
  await expectAccessible(page)
  await player(page).getByRole('link', { name: 'Is it me or you?' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'It is us. Sorry.' })).toBeVisible({ timeout: 15_000 })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send Report' }).click()
  await expect(page.getByRole('heading', { name: 'Report sent' })).toBeVisible()
  await admin.goto('/admin?tab=reports')
  // Other tests of this worker leave reports, too. The newest report is the first in the list.
  await admin
    .getByRole('button', { name: /Update Status/ })
    .first()
    .click()
  await expect(admin.getByRole('region', { name: 'Self-check' })).toContainText(
    'The channel: The channel sends nothing.',
  )
  await expectAccessible(admin)
  // The tables of this page are wider than a phone. They scroll by keyboard.
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/watching')
  await expect(admin.getByRole('region', { name: 'Channel health' }).getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(admin)

  const host = new URL(panel.url).host
  expect(await page.content()).not.toContain(host)
  expect(
    await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .join('\n'),
    ),
  ).not.toContain(host)
})
