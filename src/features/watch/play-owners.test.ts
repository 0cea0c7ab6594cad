// Who may stop a play: the tabs of one browser, which share one play, and the devices of one customer.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devices } from '#server/db/tables.ts'
import { hashOfToken } from '#server/session/devices.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { endPlay, getPlay, listPlays } from './contract.ts'

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

test('a paired TV cannot stop the play of another device; a browser of the customer can stop that of the TV', async () => {
  const viewer = await world.signInViewer(2)
  const tv = await pairedTv(viewer)
  const [browserPlay, tvPlay] = [await world.play(viewer, news), await world.play(tv, direct)]
  const end = ({ client }: SignedIn, playId: string) => client.call(endPlay, { params: { playId }, query: {} })
  await end(tv, browserPlay.id)
  expect((await viewer.client.call(listPlays, {})).map(({ id }) => id)).toEqual([browserPlay.id, tvPlay.id])
  await end(viewer, tvPlay.id)
  expect((await tv.client.call(listPlays, {})).map(({ id }) => id)).toEqual([browserPlay.id])
})

test('a second tab takes the play of the first one, whose generation is then older and does not stop it', async () => {
  const viewer = await world.signInViewer(2)
  const first = await world.play(viewer, news)
  const params = { playId: first.id }
  const read = () => viewer.client.call(getPlay, { params })
  expect(await read()).toMatchObject({ generation: first.generation, endedAt: null })
  const second = await world.play(viewer, direct)
  expect(second).toMatchObject({ id: first.id, generation: first.generation + 1 })
  expect(await read()).toEqual({ generation: second.generation, endedAt: null, why: null, takenBy: null })
  expect((await viewer.client.request(first.address)).status).toBe(404)

  // The first tab is closed.
  await viewer.client.call(endPlay, { params, query: { generation: first.generation } })
  expect((await viewer.client.request(second.address)).status).toBe(200)
  expect(await viewer.client.call(listPlays, {})).toMatchObject([{ id: second.id, channelId: direct, isHere: true }])

  await viewer.client.call(endPlay, { params, query: { generation: second.generation } })
  expect((await viewer.client.request(second.address)).status).toBe(410)
  expect(await viewer.client.call(listPlays, {})).toEqual([])
})
