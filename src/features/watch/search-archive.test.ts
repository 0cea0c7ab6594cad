import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateWatchlist } from '#features/watchlist/contract.ts'
import {
  channelGuides,
  channelRights,
  channelStreams,
  channels,
  guideChannels,
  guidePrograms,
  guideSources,
} from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { minutesFromNow } from '../../../test/harness/guide-world.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { rightsStatement, setWatching } from './admin-contract.ts'
import { searchArchive } from './contract.ts'

const hour = 60
let world: WatchWorld
let viewer: SignedIn
let sourceId: number
const inMinutes = minutesFromNow()
beforeAll(async () => {
  world = await watchWorld()
  viewer = await world.signInViewer()
  const [source] = await world.app.db
    .insert(guideSources)
    .values({ name: 'Listings' })
    .returning({ id: guideSources.id })
  sourceId = source!.id
})
afterAll(() => world.close())

/** Adds a channel whose recordings the panel keeps for two days. Its one-hour programs have this title and start at these times, in minutes from now. */
async function addTape(
  title: string,
  starts: number[],
  {
    shiftMinutes = 0,
    archiveDays = 2,
    ...state
  }: { shiftMinutes?: number; archiveDays?: number } & Parameters<WatchWorld['addChannel']>[1] = {},
): Promise<number> {
  const { db } = world.app
  const channelId = await world.addChannel('tape', state)
  await db.insert(channelStreams).values({ channelId, archiveDays })
  const [listed] = await db
    .insert(guideChannels)
    .values({ sourceId, xmltvId: `tape.${channelId}`, name: 'Tape' })
    .returning({ id: guideChannels.id })
  await db.insert(channelGuides).values({ channelId, guideChannelId: listed!.id, matched: 'id', shiftMinutes })
  await db.insert(guidePrograms).values(
    starts.map((start) => ({
      guideChannelId: listed!.id,
      startsAt: inMinutes(start - shiftMinutes),
      endsAt: inMinutes(start + hour - shiftMinutes),
      title,
    })),
  )
  return channelId
}
type Asked = { category?: string; from?: string; to?: string }
/** The programs that were found, each as its channel and its start in minutes from now. */
const search = async (q: string, more: Asked = {}, by = viewer) =>
  (await by.client.call(searchArchive, { query: { q, ...more } })).map(({ channelId, startsAt }) => [
    channelId,
    (Date.parse(startsAt) - Date.parse(inMinutes(0))) / 60_000,
  ])

describe('a search of the archive is refused', () => {
  test('without a session', async () => {
    expect((await world.app.client().request('/api/watch/archive?q=news')).status).toBe(401)
  })

  test.each(['q=a', `q=${'a'.repeat(61)}`, 'q=news&from=now', 'q=news&to=2026-02-30T00:00:00Z', 'q=news&category='])(
    'with %s',
    async (query) => {
      expect((await viewer.client.request(`/api/watch/archive?${query}`)).status).toBe(400)
    },
  )
})

describe('a search of the archive finds nothing', () => {
  test.each<[string, string, Parameters<typeof addTape>[2]]>([
    ['that the panel has no recordings of', 'Unkept', { archiveDays: 0 }],
    ['on a channel that is not published', 'Unpublished', { published: false }],
  ])('%s', async (_, word, state) => {
    await addTape(`${word} Tape`, [-2 * hour], state)
    expect(await search(word)).toEqual([])
  })

  test('on a channel without a right in force, or in this country', async () => {
    const channelId = await addTape('Licensed Tape', [-2 * hour])
    const change = async (right: Partial<typeof channelRights.$inferInsert>) => {
      await world.app.db.update(channelRights).set(right).where(eq(channelRights.channelId, channelId))
      return search('licensed')
    }
    expect(await change({ territories: 'DE' })).toEqual([])
    expect(await change({ territories: 'WORLD' })).toEqual([[channelId, -2 * hour]])
    expect(await change({ validUntil: '2020-12-31' })).toEqual([])
  })

  test('outside of the archive that the rights cover, or on a hidden channel', async () => {
    const channelId = await addTape('Uncovered Tape', [-26 * hour, -3 * hour])
    const { db } = world.app
    expect(await search('uncovered')).toHaveLength(2)
    await db.update(channelRights).set({ archiveHours: 24 }).where(eq(channelRights.channelId, channelId))
    expect(await search('uncovered')).toEqual([[channelId, -3 * hour]])
    await db.update(channelRights).set({ archiveHours: 0 }).where(eq(channelRights.channelId, channelId))
    expect(await search('uncovered')).toEqual([])
    await db.update(channelRights).set({ archiveHours: 24 }).where(eq(channelRights.channelId, channelId))
    await db.update(channels).set({ hidden: true }).where(eq(channels.id, channelId))
    expect(await search('uncovered')).toEqual([])
  })

  test('while watching is off', async () => {
    const channelId = await addTape('Switched Tape', [-2 * hour])
    const { client } = world.admin
    expect(await search('switched')).toEqual([[channelId, -2 * hour]])
    await client.call(setWatching, { body: { enabled: false } })
    expect(await search('switched')).toEqual([])
    await client.call(setWatching, { body: { enabled: true, statement: rightsStatement } })
    expect(await search('switched')).toHaveLength(1)
  })
})

test('a search of the archive finds the ended programs in it, the latest first, with the times that customers see', async () => {
  const starts = [-49 * hour, -47 * hour, -25 * hour, -2 * hour, -hour - 1, -30, 2 * hour]
  const plain = await addTape('Night Ferry', starts)
  const shifted = await addTape('Night Ferry', [-90], { shiftMinutes: -120 })
  const found = [
    [plain, -hour - 1],
    [shifted, -90],
    [plain, -2 * hour],
    [plain, -25 * hour],
    [plain, -47 * hour],
  ]
  expect(await search('FERR night')).toEqual(found)
  // Programs belong to the day in which they start.
  expect(await search('ferry', { from: inMinutes(-25 * hour), to: inMinutes(-90) })).toEqual(found.slice(2, 4))
  expect(await search('ferry', { to: inMinutes(-26 * hour) })).toEqual(found.slice(4))
  expect(await search('ferry', { from: inMinutes(-10) })).toEqual([])
  await viewer.client.call(updateWatchlist, { params: { channelId: shifted }, body: { listed: true } })
  expect(await search('ferry', { category: 'favorites' })).toEqual([[shifted, -90]])
  expect(await search('ferry', { category: 'favorites' }, await world.signInViewer())).toEqual([])
  expect(await search('ferry', { category: 'news' })).toEqual(found)
  expect(await search('ferry', { category: 'movies' })).toEqual([])
})
