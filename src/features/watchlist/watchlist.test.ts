import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels, watchlist } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listWatchlist, updateWatchlist } from './contract.ts'

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

test('anonymous callers have no watchlist, and an unknown channel is 404', async () => {
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

test('a watchlist is private: the body cannot name another user, and others cannot see it', async () => {
  const [customer, other] = [await app.signIn(), await app.signIn()]
  await put(customer, news, { listed: true, userId: other.user.id })
  expect(await namesOf(customer)).toEqual(['Harbor News'])
  expect(await namesOf(other)).toEqual([])
  await set(other, news, false)
  expect(await namesOf(customer)).toEqual(['Harbor News'])
})
