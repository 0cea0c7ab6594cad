import { gunzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relayOf } from '#features/watch/server/relay/relay.ts'
import {
  channelGuides,
  channelStreams,
  channels,
  devices,
  guideChannels,
  guidePrograms,
  guideSources,
  lines,
  users,
} from '#server/db/tables.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { transport } from '../../../test/harness/fake-streams.ts'
import { newTvApp } from '../../../test/harness/tv-app.ts'
import { withUnavailableTable } from '../../../test/harness/unavailable-table.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { type AppLogin, createAppLogin, listDevices, removeDevice } from './contract.ts'

let world: WatchWorld
let news: number
let hidden: number
beforeAll(async () => {
  world = await watchWorld()
  news = await world.addChannel('news')
  hidden = await world.addChannel('direct', { licensed: false, published: false })
  await world.app.db.update(channels).set({ name: 'Harbor "News", <1> & more\n' }).where(eq(channels.id, news))
})
afterAll(async () => {
  // No log contains the credentials of the line or of a TV app.
  for (const secret of secrets) expect(world.app.logs.join('\n')).not.toContain(secret)
  await world.close()
})
const secrets = [linePassword, encodeURIComponent(linePassword)]

/** Creates a TV app and registers its password as a secret that no log may contain. */
async function newApp(viewer: SignedIn) {
  const app = await newTvApp(world.app, viewer)
  secrets.push(app.login.password)
  return app
}

test('while the database is unavailable, apps get 503 with Retry-After', async () => {
  const viewer = await world.signInViewer(1)
  const { get, login } = await newApp(viewer)
  const paths = [
    `/live/${login.username}/${login.password}/${news}`,
    `/get.php?username=${login.username}&password=${login.password}`,
  ]
  await withUnavailableTable(world.app.database.pool, 'devices', async () => {
    for (const path of paths) {
      const response = await get(path)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    }
  })
})

test('credentials are shown once and stored as a hash; the account response has the format of Xtream panels', async () => {
  const viewer = await world.signInViewer(3)
  const { login, api } = await newApp(viewer)
  expect(login).toMatchObject({
    username: expect.stringMatching(/^[a-z2-9]{8}$/),
    password: expect.stringMatching(/^[a-z2-9]{16}$/),
  })
  const [stored] = await world.app.db.select().from(devices).where(eq(devices.id, login.id))
  expect(JSON.stringify([stored, await viewer.client.call(listDevices, {})])).not.toContain(login.password)
  expect(await api()).toEqual({
    user_info: {
      username: login.username,
      password: login.password,
      message: '',
      auth: 1,
      status: 'Active',
      exp_date: null,
      is_trial: '0',
      active_cons: '0',
      created_at: expect.stringMatching(/^\d{10}$/),
      max_connections: '3',
      allowed_output_formats: ['m3u8'],
    },
    server_info: {
      url: 'localhost',
      port: '3000',
      https_port: '',
      server_protocol: 'http',
      rtmp_port: '',
      timezone: 'UTC',
      timestamp_now: expect.any(Number),
      time_now: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      process: true,
    },
  })
})

test('channels and categories have the fields and types that apps expect, and only channels that the customer may watch are listed', async () => {
  const { api, get, login } = await newApp(await world.signInViewer())
  const categories = (await api('&action=get_live_categories')) as { category_id: string; category_name: string }[]
  const { category_id } = categories.find(({ category_name }) => category_name === 'News')!
  const streams = await api('&action=get_live_streams')
  expect(streams).toEqual([
    {
      num: 1,
      name: expect.stringContaining('Harbor'),
      stream_type: 'live',
      stream_id: news,
      stream_icon: '',
      epg_channel_id: String(news),
      added: '0',
      category_id,
      custom_sid: '',
      tv_archive: 0,
      direct_source: '',
      tv_archive_duration: 0,
    },
  ])
  expect(await api(`&action=get_live_streams&category_id=${category_id}`)).toEqual(streams)
  expect(await api('&action=get_live_streams&category_id=999')).toEqual([])
  for (const action of [
    'get_vod_categories',
    'get_vod_streams',
    'get_vod_info',
    'get_series_categories',
    'get_series',
    'get_series_info',
  ])
    expect(await api(`&action=${action}`)).toEqual([])
  expect(await api('&action=get_profile')).toHaveProperty('user_info.auth', 1)
  const list = await (await get(new URL(login.playlistUrl).pathname + new URL(login.playlistUrl).search)).text()
  expect(list.split('\n')).toEqual([
    expect.stringMatching(/^#EXTM3U x-tvg-url="http:\/\/localhost:3000\/xmltv\.php\?/),
    `#EXTINF:-1 tvg-id="${news}" tvg-name="Harbor  News , <1> & more" tvg-logo="" group-title="News",Harbor  News , <1> & more`,
    `http://localhost:3000/live/${login.username}/${login.password}/${news}.m3u8`,
    '',
  ])
})

test('the guide is XMLTV in UTC, with gzip on request, and the texts of the short guide are in Base64', async () => {
  const { app } = world
  const [source] = await app.db.insert(guideSources).values({ name: 'Listings' }).returning()
  const [listing] = await app.db
    .insert(guideChannels)
    .values({ sourceId: source!.id, xmltvId: 'news.example', name: 'News' })
    .returning()
  await app.db.insert(channelGuides).values({ channelId: news, guideChannelId: listing!.id, matched: 'hand' })
  // The first program started half an hour ago, so it is on now.
  const began = Math.floor(Date.now() / 60_000) * 60_000 - 1_800_000
  await app.db.insert(guidePrograms).values(
    [0, 1].map((n) => ({
      guideChannelId: listing!.id,
      startsAt: new Date(began + n * 3_600_000).toISOString(),
      endsAt: new Date(began + (n + 1) * 3_600_000).toISOString(),
      title: `Tom & Jerry <${n}>`,
      description: 'Réplay',
    })),
  )
  const { api, get, login } = await newApp(await world.signInViewer())
  const { epg_listings: short } = (await api(`&action=get_short_epg&stream_id=${news}&limit=1`)) as {
    epg_listings: Record<string, string>[]
  }
  expect(short).toMatchObject([{ start_timestamp: String(began / 1000), channel_id: String(news) }])
  expect(Buffer.from(short[0]!.title!, 'base64').toString()).toBe('Tom & Jerry <0>')
  for (const limit of ['', '0', '-1', '101', 'x']) {
    const listed = (await api(`&action=get_short_epg&stream_id=${news}&limit=${limit}`)) as { epg_listings: object[] }
    expect(listed.epg_listings[0]).not.toHaveProperty('has_archive')
  }
  const table = (await api(`&action=get_simple_data_table&stream_id=${news}`)) as { epg_listings: object[] }
  expect(table.epg_listings).toMatchObject([{ now_playing: 1 }, { now_playing: 0 }])
  expect(await api('&action=get_short_epg&stream_id=x')).toEqual({ epg_listings: [] })

  const path = new URL(login.guideUrl).pathname + new URL(login.guideUrl).search
  const plain = await (await get(path)).text()
  const packed = await get(path, { 'accept-encoding': 'gzip' })
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(plain)
  expect(plain).toContain('<title>Tom &amp; Jerry &lt;0&gt;</title><desc>Réplay</desc>')
  expect(plain).toContain(`start="${new Date(began).toISOString().slice(0, 16).replaceAll(/[-T:]/g, '')}00 +0000"`)
  expect(plain.endsWith('</tv>\n')).toBe(true)
})

describe('playing', () => {
  const segmentsOf = async ({ get }: Awaited<ReturnType<typeof newApp>>, list: string) => {
    const media = await (await get(/^\/stream\/\S+/m.exec(list)![0])).text()
    return media.match(/\/stream\/\S+/g)!
  }

  test('an app can play a channel with three forms of its URL on one screen, and needs no credentials after the first request', async () => {
    const viewer = await world.signInViewer(1)
    const app = await newApp(viewer)
    const { username, password } = app.login
    for (const path of [
      `/live/${username}/${password}/${news}.m3u8`,
      `/live/${username}/${password}/${news}.ts`,
      `/${username}/${password}/${news}`,
    ]) {
      const response = await app.get(path)
      expect(response.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
      const list = await response.text()
      const [segment] = await segmentsOf(app, list)
      expect((await app.get(segment!)).headers.get('content-type')).toBe('video/mp2t')
      for (const secret of [password, username, 'line.', linePassword, new URL(world.panel.url).host])
        expect(list.replaceAll('/stream/', '')).not.toContain(secret)
    }
    expect((await viewer.client.call(listDevices, {})).devices).toMatchObject([
      { kind: 'app', playing: { channelId: news } },
    ])
    expect(await app.api()).toHaveProperty('user_info.active_cons', '1')
  })

  test('a second app gets 403 while all screens are in use, and a removed app stops within a second', async () => {
    const viewer = await world.signInViewer(1)
    const [first, second] = [await newApp(viewer), await newApp(viewer)]
    const list = await (await first.live(`${news}.m3u8`)).text()
    const full = await second.live(`${news}.m3u8`)
    expect([full.status, await full.text()]).toEqual([403, 'All your screens are in use.'])
    const [segment] = await segmentsOf(first, list)
    await viewer.client.call(removeDevice, { params: { deviceId: first.login.id } })
    await relayOf(world.app.context).traffic.checkNow()
    expect((await first.get(segment!)).status).toBe(410)
    expect((await second.live(`${news}.m3u8`)).status).toBe(200)
    expect((await second.get(`/api/watch`)).status).toBe(401)
  })

  test('there is no stream after the subscription has ended, for a channel without a right, or for a HEAD request', async () => {
    const viewer = await world.signInViewer()
    const app = await newApp(viewer)
    const { username, password } = app.login
    expect((await app.live(hidden)).status).toBe(404)
    const tv = world.app.client()
    expect((await tv.request(`/live/${username}/${password}/${news}`, { method: 'HEAD' })).status).toBe(405)
    await world.app.db.update(lines).set({ wantedEnabled: false }).where(eq(lines.userId, viewer.user.id))
    await world.app.db
      .update(users)
      .set({ subscriptionEndDate: '2026-01-01T00:00:00Z' })
      .where(eq(users.id, viewer.user.id))
    expect(await app.api()).toMatchObject({ user_info: { auth: 1, status: 'Expired', exp_date: '1767225600' } })
    expect((await app.live(news)).status).toBe(403)
  })
})

test('an app plays an archived program by its start time in UTC; the lists contain the length of the archive, and the guide covers the archive and three days', async () => {
  const { app, panel } = world
  const tape = await world.addChannel('tape')
  panel.streams.modes['tape.ts'] = transport({ burst: 200, seconds: 200 })
  await app.db.insert(channelStreams).values({ channelId: tape, archiveDays: 2 })
  const [source] = await app.db.insert(guideSources).values({ name: 'Tapes' }).returning()
  const [listed] = await app.db
    .insert(guideChannels)
    .values({ sourceId: source!.id, xmltvId: 'tape.example', name: 'Tape' })
    .returning()
  const guideChannelId = listed!.id
  await app.db.insert(channelGuides).values({ channelId: tape, guideChannelId, matched: 'hand' })
  const hourMs = 3_600_000
  const began = Math.floor(Date.now() / hourMs) * hourMs - 2 * hourMs
  const at = (hours: number) => new Date(began + hours * hourMs).toISOString()
  await app.db
    .insert(guidePrograms)
    .values(
      [-60, 0, 70, 76].map((n) => ({ guideChannelId, startsAt: at(n), endsAt: at(n + 1), title: `Program ${n}` })),
    )

  const { api, get, login } = await newApp(await world.signInViewer(1))
  const streams = (await api('&action=get_live_streams')) as object[]
  expect(streams).toContainEqual(expect.objectContaining({ stream_id: tape, tv_archive: 1, tv_archive_duration: 2 }))
  const query = new URL(login.guideUrl).search
  expect(await (await get(`/get.php${query}`)).text()).toMatch(
    /group-title="News" catchup="xc" catchup-days="2",Channel/,
  )
  const guide = await (await get(`/xmltv.php${query}`)).text()
  expect(guide.match(/Program -?\d+/g)).toEqual(['Program 0', 'Program 70'])
  const { epg_listings } = (await api(`&action=get_simple_data_table&stream_id=${tape}`)) as { epg_listings: object[] }
  expect(epg_listings).toMatchObject([{ has_archive: 1, start: at(0).slice(0, 19).replace('T', ' ') }])

  const play = (start: string) => get(`/timeshift/${login.username}/${login.password}/60/${start}/${tape}.ts`)
  const start = (hours: number, separator: string) => at(hours).slice(0, 16).replace(':', '-').replace('T', separator)
  for (const separator of [':', '_']) {
    const list = await (await play(start(0, separator))).text()
    const media = await (await get(/^\/stream\/\S+/m.exec(list)![0])).text()
    expect(media).toContain(`#EXT-X-PROGRAM-DATE-TIME:${at(0)}`)
    expect((await get(/\/stream\/\S+/.exec(media)![0])).headers.get('content-type')).toBe('video/mp2t')
  }
  for (const missing of [start(-60, ':'), start(-10, ':'), start(70, ':'), 'yesterday', '2026-13-40:99-99'])
    expect((await play(missing)).status, missing).toBe(404)
})

test('wrong, removed and malformed credentials get identical responses, and only a few attempts are allowed in an hour', async () => {
  const viewer = await world.signInViewer()
  const { login } = await newApp(viewer)
  const removed = await newApp(viewer)
  await viewer.client.call(removeDevice, { params: { deviceId: removed.login.id } })
  const tv = world.app.client()
  const wrong: [string, string][] = [
    [login.username, 'x'.repeat(16)],
    ['a'.repeat(8), login.password],
    [removed.login.username, removed.login.password],
    ["' or 1=1", '%00'],
    ['', ''],
  ]
  const bytes = async (path: string) => {
    const response = await tv.request(path)
    return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`
  }
  const answers = (paths: string[]) => Promise.all(paths.map(bytes)).then((all) => new Set(all))
  const query = ([username, password]: [string, string]) => new URLSearchParams({ username, password })
  expect([...(await answers(wrong.map((typed) => `/player_api.php?${query(typed)}&action=get_live_streams`)))]).toEqual(
    ['200 application/json {"user_info":{"auth":0}}'],
  )
  const lists = ['/get.php', '/xmltv.php'].flatMap((path) => wrong.map((typed) => `${path}?${query(typed)}`))
  const plays = wrong.slice(0, 3).map(([name, password]) => `/live/${name}/${password}/${news}.m3u8`)
  expect([...(await answers([...lists, ...plays]))]).toEqual(['404 text/plain; charset=utf-8 Not found'])

  const strict = await watchWorld({ rateLimitFactor: 1 })
  const stranger = strict.app.client()
  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push((await stranger.request(`/player_api.php?${query(wrong[0]!)}`)).status)
  expect([statuses.slice(0, 20).every((status) => status === 200), statuses[20]]).toEqual([true, 404])
  const own: AppLogin = await (await strict.signInViewer()).client.call(createAppLogin, { body: { name: 'VLC' } })
  expect((await stranger.request(`/player_api.php?${query([own.username, own.password])}`)).status).toBe(200)
  await strict.close()
})
