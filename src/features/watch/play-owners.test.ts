// Who may stop a play: the tabs of one browser, which share a play, the devices of one customer, and the job that removes old plays.
import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devices, plays } from '#server/db/tables.ts'
import { hashOfToken } from '#server/session/devices.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { endPlay, getPlay, listPlays, openPlay } from './contract.ts'
import { removeOldPlays } from './server/plays/end-play.ts'

let world: WatchWorld
let news: number
let direct: number
beforeAll(async () => {
  world = await watchWorld()
  news = await world.addChannel('news')
  direct = await world.addChannel('direct')
})
afterAll(() => world.close())

test.each(['0', '-1', '1.5', 'x', '99999999999'])('the generation "%s" is refused', async (generation) => {
  const viewer = await world.signInViewer()
  const { id } = await world.play(viewer, news)
  const response = await viewer.client.request(`/api/plays/${id}?generation=${generation}`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(400)
  expect(await viewer.client.call(listPlays, {})).toMatchObject([{ id }])
})

/** A paired TV of a customer. */
async function pairedTv({ user }: SignedIn): Promise<SignedIn> {
  const token = randomBytes(32).toString('base64url')
  await world.app.db
    .insert(devices)
    .values({ userId: user.id, kind: 'tv', name: 'Bedroom', tokenHash: hashOfToken(token) })
  const client = world.app.client()
  client.cookies.set('device', token)
  return { client, user }
}

test('a paired TV cannot stop the play of another device; a browser of the customer can stop the play of the TV', async () => {
  const viewer = await world.signInViewer(2)
  const tv = await pairedTv(viewer)
  const [browserPlay, tvPlay] = [await world.play(viewer, news), await world.play(tv, direct)]
  const end = ({ client }: SignedIn, playId: string) => client.call(endPlay, { params: { playId }, query: {} })
  await end(tv, browserPlay.id)
  expect((await viewer.client.call(listPlays, {})).map(({ id }) => id)).toEqual([browserPlay.id, tvPlay.id])
  await end(viewer, tvPlay.id)
  expect((await tv.client.call(listPlays, {})).map(({ id }) => id)).toEqual([browserPlay.id])
})

test('a second tab takes over the play of the first tab, which can no longer stop it, because its generation is older', async () => {
  const viewer = await world.signInViewer(2)
  const first = await world.play(viewer, news)
  const params = { playId: first.id }
  const read = () => viewer.client.call(getPlay, { params })
  expect(await read()).toMatchObject({ generation: first.generation, endedAt: null })
  const second = await world.play(viewer, direct)
  expect(second).toMatchObject({ id: first.id, generation: first.generation + 1 })
  expect(await read()).toEqual({ generation: second.generation, endedAt: null, why: null, takenBy: null, tab: null })
  expect((await viewer.client.request(first.address)).status).toBe(404)

  // The first tab is closed.
  await viewer.client.call(endPlay, { params, query: { generation: first.generation } })
  expect((await viewer.client.request(second.address)).status).toBe(200)
  expect(await viewer.client.call(listPlays, {})).toMatchObject([{ id: second.id, channelId: direct, isHere: true }])

  await viewer.client.call(endPlay, { params, query: { generation: second.generation } })
  expect((await viewer.client.request(second.address)).status).toBe(410)
  expect(await viewer.client.call(listPlays, {})).toEqual([])
})

test('a play has the id of the page that opened it last, and ids of any other form are refused', async () => {
  const viewer = await world.signInViewer()
  const open = (tab: string) => viewer.client.call(openPlay, { body: { channelId: news, tab } })
  for (const tab of ['', 'a b', '<b>', 'x'.repeat(41)]) await expect(open(tab)).rejects.toMatchObject({ status: 400 })
  const { id: playId } = await open('first')
  const tabOf = async () => (await viewer.client.call(getPlay, { params: { playId } })).tab
  expect(await tabOf()).toBe('first')
  await open('x'.repeat(40))
  expect(await tabOf()).toBe('x'.repeat(40))
  await world.play(viewer, news)
  expect(await tabOf()).toBeNull()
})

test('a play without requests for an hour is ended as of its last request, and is deleted 30 days after that', async () => {
  const [lost, kept] = [await world.signInViewer(), await world.signInViewer()]
  const [lostPlay, keptPlay] = [await world.play(lost, news), await world.play(kept, news)]
  const setSeen = (id: string, ago: string) =>
    world.app.db
      .update(plays)
      .set({ seenAt: sql`now() - ${ago}::interval` })
      .where(eq(plays.id, id))
      .returning()
  const read = ({ client }: SignedIn, playId: string) => client.call(getPlay, { params: { playId } })
  const [row] = await setSeen(lostPlay.id, '61 minutes')
  await setSeen(keptPlay.id, '59 minutes')
  expect(await removeOldPlays(world.app.db)).toBe(0)
  expect(await read(lost, lostPlay.id)).toMatchObject({ endedAt: row!.seenAt, why: 'closed', takenBy: null })
  expect(await read(kept, keptPlay.id)).toMatchObject({ endedAt: null, why: null })

  await setSeen(lostPlay.id, '30 days 1 minute')
  await setSeen(keptPlay.id, '29 days 23 hours')
  expect(await removeOldPlays(world.app.db)).toBe(1)
  await expect(read(lost, lostPlay.id)).rejects.toMatchObject({ status: 404 })
  expect(await read(kept, keptPlay.id)).toMatchObject({ why: 'closed' })
})
