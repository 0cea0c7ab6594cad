import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { updateChannel } from '#features/catalog/admin-contract.ts'
import { openCountryDatabase } from '#features/visitors/server/country.ts'
import {
  createRights,
  deleteRight,
  publishChannels,
  rightsStatement,
  setWatching,
  updateRight,
} from '#features/watch/admin-contract.ts'
import { clientConfig } from '#server/db/connect.ts'
import { channelRights, channelStreams, channels, watchChannels } from '#server/db/tables.ts'
import { listen } from '#server/live/notify.ts'
import { addressFile } from '../../../test/harness/address-file.ts'
import { newTvApp } from '../../../test/harness/tv-app.ts'
import { withUnavailableTable } from '../../../test/harness/unavailable-table.ts'
import { rightNow, type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { Lineups } from './server/tv-apps/lineups.ts'

let world: WatchWorld
let news: number
beforeAll(async () => {
  world = await watchWorld()
  news = await world.addChannel('news')
})
afterAll(() => world.close())

test.each([
  ['type=enigma22_script', 'Supported types: m3u and m3u_plus.'],
  ['type=M3U', 'Supported types: m3u and m3u_plus.'],
  ['type=toString&output=ts', 'Supported types: m3u and m3u_plus.'],
  ['type=m3u&output=rtmp', 'Supported outputs: m3u8 and ts.'],
  ['output=constructor', 'Supported outputs: m3u8 and ts.'],
])('a playlist with %s is refused, and the message does not repeat the value', async (query, reason) => {
  const { list } = await newTvApp(world.app, await world.signInViewer())
  const response = await list(`&${query}`)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    400,
    'text/plain; charset=utf-8',
    reason,
  ])
})

test('wrong credentials get the same answer for every type of playlist', async () => {
  const { login, get } = await newTvApp(world.app, await world.signInViewer())
  for (const query of ['', '&type=m3u', '&type=none', '&output=rtmp']) {
    const response = await get(`/get.php?username=${login.username}&password=wrong${query}`)
    expect([response.status, await response.text()]).toEqual([404, 'Not found'])
  }
})

test('the playlist has the type and the kind of URLs that the app asks for, and every URL plays', async () => {
  const { list, login, get } = await newTvApp(world.app, await world.signInViewer())
  const address = `http://localhost:3000/live/${login.username}/${login.password}/${news}`
  const linesOf = async (query: string) => (await (await list(query)).text()).split('\n')
  expect(await linesOf('&type=m3u&output=ts')).toEqual(['#EXTM3U', '#EXTINF:-1,Channel 1', `${address}.ts`, ''])
  expect(await linesOf('&type=m3u')).toEqual(['#EXTM3U', '#EXTINF:-1,Channel 1', `${address}.m3u8`, ''])
  for (const [output, extension] of [
    ['', 'm3u8'],
    ['m3u8', 'm3u8'],
    ['hls', 'm3u8'],
    ['ts', 'ts'],
    ['mpegts', 'ts'],
  ]) {
    const [head, entry, url] = await linesOf(`&type=m3u_plus&output=${output}`)
    expect(head).toBe(`#EXTM3U x-tvg-url="${login.guideUrl}"`)
    expect(entry).toContain('group-title="News"')
    expect(url).toBe(`${address}.${extension}`)
    const played = await get(new URL(url!).pathname)
    expect([played.status, played.headers.get('content-type')]).toEqual([200, 'application/vnd.apple.mpegurl'])
  }
})

test('every list contains the channel numbers of the site; a channel without a number gets one after the highest', async () => {
  const world = await watchWorld()
  const [first, last] = [await world.addChannel('news'), await world.addChannel('tape')]
  const sports = await world.addChannel('sport')
  await world.app.db.update(channels).set({ category: 'sports' }).where(eq(channels.id, sports))
  await world.app.db.insert(channelStreams).values([
    { channelId: last, number: 12 },
    { channelId: sports, number: 3 },
  ])
  const { api, list } = await newTvApp(world.app, await world.signInViewer())
  const numbers = async (query = '') =>
    ((await api(`&action=get_live_streams${query}`)) as { stream_id: number; num: number }[]).map(
      ({ stream_id, num }) => [stream_id, num],
    )
  const all = [
    [sports, 3],
    [first, 13],
    [last, 12],
  ]
  expect(await numbers()).toEqual(all)
  const categories = (await api('&action=get_live_categories')) as { category_id: string; category_name: string }[]
  for (const [name, listed] of [
    ['Sports', all.slice(0, 1)],
    ['News', all.slice(1)],
  ] as const)
    expect(
      await numbers(`&category_id=${categories.find((each) => each.category_name === name)!.category_id}`),
    ).toEqual(listed)
  const text = await (await list()).text()
  expect(
    [...text.matchAll(/tvg-id="(\d+)".*? (tvg-chno="\d+" )?tvg-logo/g)].map(([, id, number]) => [id, number]),
  ).toEqual([
    [String(sports), 'tvg-chno="3" '],
    [String(first), undefined],
    [String(last), 'tvg-chno="12" '],
  ])
  await world.close()
})

describe('the lists in memory', () => {
  const streamIds = async ({ api }: Awaited<ReturnType<typeof newTvApp>>, query = '') =>
    ((await api(`&action=get_live_streams${query}`)) as { stream_id: number }[]).map(({ stream_id }) => stream_id)
  const listedIds = async ({ list }: Awaited<ReturnType<typeof newTvApp>>) =>
    [...(await (await list()).text()).matchAll(/tvg-id="(\d+)"/g)].map(([, id]) => Number(id))
  const newApp = async (ip?: string) => newTvApp(world.app, await world.signInViewer(), ip)

  test('are not read again for each customer and request, and contain the credentials of the requesting app', async () => {
    const [first, second] = [await newApp(), await newApp()]
    const text = await (await first.list()).text()
    const streams = await streamIds(first)
    await withUnavailableTable(world.app.database.pool, 'watch_channels', async () => {
      expect(await streamIds(second)).toEqual(streams)
      const { username, password } = second.login
      const other = await (await second.list()).text()
      expect(other).toBe(text.replaceAll(first.login.username, username).replaceAll(first.login.password, password))
      expect(other).toContain(`/live/${username}/${password}/${news}.m3u8`)
      expect(await second.api(`&action=get_short_epg&stream_id=${news}`)).toEqual({ epg_listings: [] })
      expect(await second.api()).toMatchObject({ user_info: { status: 'Active', max_connections: '1' } })
    })
  })

  test('are compressed on request, with the same content', async () => {
    const app = await newApp()
    const path = `/player_api.php?username=${app.login.username}&password=${app.login.password}&action=get_live_streams`
    const plain = await app.get(path)
    const packed = await app.get(path, { 'accept-encoding': 'gzip' })
    expect([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    expect([plain, packed].map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store'])
    expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await plain.text())
  })

  test('change immediately when a channel is renamed, withdrawn, published or hidden or loses its right, and when watching is turned off', async () => {
    const app = await newApp()
    const { client } = world.admin
    const channelId = await world.addChannel('news')
    const isListed = async () => {
      const [streams, list] = [await streamIds(app), await listedIds(app)]
      expect(streams).toEqual(list)
      return streams.includes(channelId)
    }
    expect(await isListed()).toBe(true)
    const publish = (published: boolean) =>
      client.call(publishChannels, { body: { channelIds: [channelId], published } })
    await publish(false)
    expect(await isListed()).toBe(false)
    await publish(true)
    expect(await isListed()).toBe(true)
    const watching = (enabled: boolean) => client.call(setWatching, { body: { enabled, statement: rightsStatement } })
    await watching(false)
    expect(await streamIds(app)).toEqual([])
    await watching(true)
    expect(await isListed()).toBe(true)

    const params = { channelId }
    const fields = { name: 'Harbor', category: 'news' as const, logo: '', previewUrl: '', featured: false }
    const { version: renamed } = await client.call(updateChannel, {
      params,
      body: { ...fields, hidden: false, version: 1 },
    })
    expect(await app.api('&action=get_live_streams')).toContainEqual(
      expect.objectContaining({ stream_id: channelId, name: 'Harbor' }),
    )
    const { version: hidden } = await client.call(updateChannel, {
      params,
      body: { ...fields, hidden: true, version: renamed },
    })
    expect(await isListed()).toBe(false)
    await client.call(updateChannel, { params, body: { ...fields, hidden: false, version: hidden } })

    const [right] = await world.app.db.select().from(channelRights).where(eq(channelRights.channelId, channelId))
    const { id: rightId, version } = right!
    await client.call(updateRight, {
      params: { rightId },
      body: { ...rightNow, territories: 'WORLD', validUntil: '2020-12-31', version },
    })
    expect(await isListed()).toBe(false)
    await client.call(createRights, { body: { channelIds: [channelId], ...rightNow, territories: 'WORLD' } })
    expect(await isListed()).toBe(true)
    await client.call(deleteRight, { params: { rightId }, query: { version: version + 1 } })
    const [other] = await world.app.db.select().from(channelRights).where(eq(channelRights.channelId, channelId))
    await client.call(deleteRight, { params: { rightId: other!.id }, query: { version: other!.version } })
    expect(await isListed()).toBe(false)
  })

  test('are read again by every process when a right changes', async () => {
    const { client } = world.admin
    let notified = 0
    const ignore = () => {}
    const listener = await listen({
      connection: clientConfig(world.app.database.address),
      onChange: ignore,
      onSessionsChanged: ignore,
      onReconnect: ignore,
      onCatalog: () => notified++,
    })
    try {
      const fields = { ...rightNow, territories: 'WORLD' }
      await client.call(createRights, { body: { channelIds: [news], ...fields } })
      await expect.poll(() => notified).toBe(1)
      const [right] = await world.app.db
        .select()
        .from(channelRights)
        .where(eq(channelRights.channelId, news))
        .orderBy(desc(channelRights.id))
      const params = { rightId: right!.id }
      await client.call(updateRight, { params, body: { ...fields, licensor: 'Bay Media', version: 1 } })
      await expect.poll(() => notified).toBe(2)
      await client.call(deleteRight, { params, query: { version: 2 } })
      await expect.poll(() => notified).toBe(3)
    } finally {
      await listener.close()
    }
  })

  test('are read again after a minute, because a right ends with its last day without a notification', async () => {
    const channelId = await world.addChannel('news')
    const app = await newApp()
    expect(await streamIds(app)).toContain(channelId)
    await world.app.db
      .update(channelRights)
      .set({ validUntil: '2020-12-31' })
      .where(eq(channelRights.channelId, channelId))
    expect(await streamIds(app)).toContain(channelId)
    expect((await app.live(channelId)).status).not.toBe(200)
    // The fake clock begins at zero.
    const aMinuteLater = performance.now() + 60_001
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      vi.advanceTimersByTime(aMinuteLater)
      expect(await streamIds(app)).not.toContain(channelId)
    } finally {
      vi.useRealTimers()
    }
  })

  test('contain the channels for the country of the app', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sauce-countries-'))
    const file = join(folder, 'countries.mmdb')
    writeFileSync(file, addressFile({ '198.51.100.0/24': { code: 'US' }, '203.0.113.0/24': { code: 'CA' } }))
    const limited = await watchWorld({ geoipDatabase: file })
    openCountryDatabase(file, { info: () => {}, error: () => {} })
    try {
      const [everywhere, here] = [
        await limited.addChannel('news'),
        await limited.addChannel('news', { territories: 'US' }),
      ]
      const viewer = await limited.signInViewer(5)
      for (const [ip, ids] of [
        ['198.51.100.7', [everywhere, here]],
        ['203.0.113.7', [everywhere]],
        ['192.0.2.7', [everywhere]],
        ['198.51.100.8', [everywhere, here]],
      ] as const) {
        const app = await newTvApp(limited.app, viewer, ip)
        expect([await streamIds(app), await listedIds(app)], ip).toEqual([ids, ids])
        expect((await app.live(here)).status, ip).toBe(ids.length === 2 ? 200 : 403)
      }
    } finally {
      openCountryDatabase(undefined, { info: () => {}, error: () => {} })
      rmSync(folder, { recursive: true })
      await limited.close()
    }
  })

  test('are generated once for all countries with the same channels, and kept while the channels do not change', async () => {
    const { db } = world.app
    let generation = 0
    const lineups = new Lineups({ db, cacheGeneration: () => generation })
    const here = await lineups.in('US')
    expect(await lineups.in(null)).toBe(here)
    generation++
    expect(await lineups.in('US')).toBe(here)
    await world.addChannel('news', { territories: 'US' }).catch(() => undefined)
    const [limited] = await db.select().from(channelRights).where(eq(channelRights.territories, 'US'))
    await db.insert(watchChannels).values({ channelId: limited!.channelId }).onConflictDoNothing()
    generation++
    const [inside, outside] = [await lineups.in('US'), await lineups.in('CA')]
    expect(inside.channels.length).toBe(here.channels.length + 1)
    expect(outside).toBe(here)
    for (let n = 0; n < 40; n++) await lineups.in(`${'ABCDEFGHIJ'[n % 10]}${'ABCD'[n % 4]}`)
    expect(await lineups.in('US')).not.toBe(inside)
  })

  test('are read again after a failure', async () => {
    const limited = await watchWorld()
    const channelId = await limited.addChannel('news')
    const app = await newTvApp(limited.app, await limited.signInViewer())
    await withUnavailableTable(limited.app.database.pool, 'watch_channels', async () => {
      expect((await app.list()).status).toBe(503)
    })
    expect(await listedIds(app)).toEqual([channelId])
    await limited.close()
  })
})
