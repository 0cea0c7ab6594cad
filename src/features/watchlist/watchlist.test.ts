import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels, watchlist } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listWatchlist, orderWatchlist, updateWatchlist } from './contract.ts'

let app: TestApp
let news: number
let sports: number
beforeAll(async () => {
  app = await buildApp()
  const [first, second] = await app.db
    .insert(channels)
    .values([
      { name: 'Harbor News', category: 'news', logo: 'mark:Harbor News' },
      { name: 'Summit Sports', category: 'sports', logo: 'mark:Summit Sports' },
    ])
    .returning()
  news = first!.id
  sports = second!.id
})
afterAll(() => app.close())

const put = ({ client }: Pick<SignedIn, 'client'>, channelId: number | string, body: object) =>
  client.request(`/api/watchlist/${channelId}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const set = ({ client }: SignedIn, channelId: number, listed: boolean) =>
  client.call(updateWatchlist, { params: { channelId }, body: { listed } })
const namesOf = async ({ client }: SignedIn) => (await client.call(listWatchlist, {})).map(({ name }) => name)

test('anonymous callers have no watchlist, and an unknown channel gets 404', async () => {
  const anonymous = { client: app.client() }
  expect((await put(anonymous, news, { listed: true })).status).toBe(401)
  expect((await anonymous.client.request('/api/watchlist')).status).toBe(401)
  const customer = await app.signIn()
  for (const channelId of [2147483647, 0, -1, 'news', '1.5', '2147483648'])
    expect((await put(customer, channelId, { listed: true })).status).toBe(404)
  for (const body of [{}, { listed: 'yes' }, { listed: null }])
    expect((await put(customer, news, body)).status).toBe(400)
  expect(await app.db.select().from(watchlist)).toEqual([])
})

test('a channel is added once, even by repeated requests, and can be removed', async () => {
  const customer = await app.signIn()
  await Promise.all(Array.from({ length: 20 }, () => set(customer, news, true)))
  expect(await set(customer, sports, true)).toEqual({ channelId: sports, listed: true })
  expect(await namesOf(customer)).toEqual(['Summit Sports', 'Harbor News'])
  expect(await set(customer, news, false)).toEqual({ channelId: news, listed: false })
  await set(customer, news, false)
  expect(await namesOf(customer)).toEqual(['Summit Sports'])
})

test('a watchlist keeps the order that the customer chose, and a channel that is added later comes first', async () => {
  const added = await app.db
    .insert(channels)
    .values(['One', 'Two', 'Three', 'Four'].map((name) => ({ name, category: 'news' as const, logo: 'mark:C' })))
    .returning()
  const [one, two, three, four] = added.map(({ id }) => id) as [number, number, number, number]
  const [customer, other] = [await app.signIn(), await app.signIn()]
  const order = (channelIds: number[], by = customer) => by.client.call(orderWatchlist, { body: { channelIds } })
  for (const id of [one, two, three]) for (const by of [customer, other]) await set(by, id, true)
  expect(await namesOf(customer)).toEqual(['Three', 'Two', 'One'])
  await order([one, three, two])
  expect(await namesOf(customer)).toEqual(['One', 'Three', 'Two'])
  expect(await namesOf(other)).toEqual(['Three', 'Two', 'One'])
  await set(customer, four, true)
  // Adding a listed channel again does not move it.
  await set(customer, one, true)
  expect(await namesOf(customer)).toEqual(['Four', 'One', 'Three', 'Two'])
  // The ids include a channel that is not on the list, a channel that does not exist, and a repeated channel. `one` is missing and keeps position 1,
  // which is now also the position of `two`. At equal positions the channel that was added later comes first.
  await order([two, news, 2_147_483_647, four, two, three])
  expect(await namesOf(customer)).toEqual(['Two', 'One', 'Four', 'Three'])
  await set(customer, three, false)
  await set(customer, three, true)
  expect(await namesOf(customer)).toEqual(['Three', 'Two', 'One', 'Four'])
  await Promise.all([order([one, two, three, four]), order([four, three, two, one]), order([one, two, three, four])])
  expect([
    ['One', 'Two', 'Three', 'Four'],
    ['Four', 'Three', 'Two', 'One'],
  ]).toContainEqual(await namesOf(customer))
})

test('an order is refused without a session, and if the body is not a list of at most 1,000 ids', async () => {
  const send = (client: SignedIn['client'], body: object) =>
    client.request('/api/watchlist', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await send(app.client(), { channelIds: [] })).status).toBe(401)
  const { client } = await app.signIn()
  for (const channelIds of [
    undefined,
    7,
    ['x'],
    [0],
    [1.5],
    [2_147_483_648],
    Array.from({ length: 1_001 }, (_, n) => n + 1),
  ])
    expect((await send(client, { channelIds })).status).toBe(400)
})

test('a watchlist is private: the body cannot name another user, and others cannot see it', async () => {
  const [customer, other] = [await app.signIn(), await app.signIn()]
  await put(customer, news, { listed: true, userId: other.user.id })
  expect(await namesOf(customer)).toEqual(['Harbor News'])
  expect(await namesOf(other)).toEqual([])
  await set(other, news, false)
  expect(await namesOf(customer)).toEqual(['Harbor News'])
})
