import type { Locator, Page } from '@playwright/test'
import { createRights, publishChannels, rightsStatement, setWatching } from '#features/watch/admin-contract.ts'
import { addListings } from '../test/harness/app-database.ts'
import { type Caller, expect } from '../test/harness/browser.ts'
import { type FakePanel, linePassword } from '../test/harness/fake-panel.ts'
import { test as base } from './lineup.ts'
import { buyPlan, sendWrite } from './order.ts'
import { often } from './playback.ts'
import { type Zone, zoneAtFive } from './zone-at-five.ts'

type Stream = { stream_id: string; name: string } & Record<string, string | number>
type Offer = {
  /** How many hours back the rights cover recordings. */
  archiveHours?: number
  /** Whether these channels get a program each hour. */
  listings?: boolean
}
type WatchFixtures = {
  /** The time zone of the browser, in which the programs of `addListings` begin on the hour. */
  zone: Zone
  /** Offers channels of the panel for watching. Returns their ids in the same order. */
  offer: (streams: Stream[], options?: Offer) => Promise<number[]>
  /**
   * Registers a customer with a subscription for one screen and connects the customer to this line of the panel (default: `unsaid.1`). The customer is then
   * logged in on `on` (default: the test's page).
   */
  subscribe: (line?: string, on?: Caller) => Promise<void>
}

/** The `test` function for specs in which channels are watched. */
export const test = base.extend<WatchFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  zone: ({}, use) => use(zoneAtFive()),
  timezoneId: ({ zone }, use) => use(zone.timezoneId),
  offer: ({ adminCaller, panel, data, zone: { minutesAhead } }, use) =>
    use(async (streams, { archiveHours, listings } = {}) => {
      const channelIds = await offerChannels(adminCaller, panel, streams, archiveHours)
      if (listings) await addListings(data, { channelIds, minutesAhead })
      return channelIds
    }),
  subscribe: ({ page, register, adminCaller }, use) =>
    use(async (line = 'unsaid.1', on = page) => {
      await register({}, on)
      await buyPlan(on, adminCaller, 1, 1)
      await connectLine(on, line)
    }),
})
/** Connects the customer who is logged in on `on` to a line of the panel. */
export const connectLine = (on: Caller, line = 'unsaid.1'): Promise<unknown> =>
  sendWrite(on, 'post', '/api/iptv/sync', { iptvUsername: line, iptvPassword: linePassword })

export const player = (page: Page) => page.getByRole('region', { name: /^Player/ })
export const button = (page: Page, name: string | RegExp) => player(page).getByRole('button', { name })
export const alert = (page: Page) => player(page).getByRole('alert')
export const video = (page: Page) => page.locator('video')
/** Returns the playback position in seconds. */
export const seconds = (page: Page) => video(page).evaluate((element: HTMLVideoElement) => element.currentTime)
/** Expects that playback has begun. */
export const expectPlaying = (page: Page) => expect.poll(() => seconds(page), often).toBeGreaterThan(0)
/** Expects that playback advances by more than half a second. */
export async function expectMoving(page: Page): Promise<void> {
  const before = await seconds(page)
  await expect.poll(() => seconds(page), often).toBeGreaterThan(before + 0.5)
}

/** Expects that the dialog is a sheet at the bottom of the window on a phone, and that a toast does not move it. */
export async function expectSheet(dialog: Locator): Promise<void> {
  const page = dialog.page()
  const before = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  const box = async () => {
    const { x, y, width, height } = (await dialog.boundingBox())!
    return [x, width, y + height]
  }
  await expect.poll(box, often).toEqual([0, 390, 844])
  const boxBefore = await dialog.boundingBox()
  const toast = await page.evaluateHandle(() => {
    const element = document.createElement('div')
    element.className = 'toast'
    document.body.append(element)
    return element
  })
  expect(await dialog.boundingBox()).toEqual(boxBefore)
  await toast.evaluate((element) => element.remove())
  await page.setViewportSize(before)
}

/**
 * Imports channels from the panel, records worldwide rights to them, publishes them and turns watching on. `archiveHours`: how many hours back the
 * rights cover recordings. Returns the ids of the channels in the same order.
 */
export async function offerChannels(
  admin: Caller,
  panel: FakePanel,
  streams: Stream[],
  archiveHours?: number,
): Promise<number[]> {
  panel.watch.categories = [{ category_id: '1', category_name: 'News' }]
  panel.watch.streams = streams.map((stream) => ({ ...stream, stream_type: 'live', category_id: '1' }))
  await sendWrite(admin, 'post', '/api/admin/channel-import', {
    iptvUsername: 'line',
    iptvPassword: linePassword,
    categories: { news: '1' },
    show: true,
  })
  const channelIds = await channelIdsOf(
    admin,
    streams.map(({ name }) => name),
  )
  await sendWrite(admin, 'post', createRights.path, {
    channelIds,
    source: 'Satellite feed',
    licensor: 'Harbor Media',
    territories: 'WORLD',
    validFrom: '2020-01-01',
    validUntil: '2099-12-31',
    document: 'Contract 4711',
    ...(archiveHours !== undefined && { archiveHours }),
  })
  await sendWrite(admin, 'put', publishChannels.path, { channelIds, published: true })
  await sendWrite(admin, 'put', setWatching.path, { enabled: true, statement: rightsStatement })
  return channelIds
}

/**
 * Waits for channels that were just imported and returns their ids in the order of `names`. The app serves the cached lineup until it is notified of the
 * import.
 */
export async function channelIdsOf({ request }: Caller, names: string[]): Promise<number[]> {
  let ids: (number | undefined)[] = []
  await expect
    .poll(async () => {
      const lineup = (await (await request.get('/api/channels')).json()) as { id: number; name: string }[]
      ids = names.map((name) => lineup.find((channel) => channel.name === name)?.id)
      return ids
    }, often)
    .not.toContain(undefined)
  return ids.map((id) => id!)
}
