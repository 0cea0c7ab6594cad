import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { channelRights, lines, plays, sessions } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { openSession } from '#server/session/session.ts'
import type { SignedIn } from '../../../../../test/harness/app.ts'
import { trustCertificate } from '../../../../../test/harness/certificate.ts'
import { type DirectBalancer, startDirectBalancer } from '../../../../../test/harness/direct-balancer.ts'
import { linePassword } from '../../../../../test/harness/fake-panel.ts'
import { bytes, playlist, redirect, transport } from '../../../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../../../test/harness/watch-world.ts'
import { getDirect, setDirect, testDirect } from '../../admin-direct-contract.ts'
import { listRunningPlays } from '../../admin-plays-contract.ts'
import { endPlay, getPlay, keepAlive, listPlays, type OpenedPlay } from '../../contract.ts'
import { relayOf } from '../relay/relay.ts'

const { direct: terms } = limits.relay
const checkedMs = terms.checkedMs
let world: WatchWorld
let balancer: DirectBalancer
let stopTrusting: () => void
let channel: number
let serial = 0
/** Everything that browsers received, and the panel address that they may receive. */
const received: string[] = []

beforeAll(async () => {
  balancer = await startDirectBalancer()
  stopTrusting = trustCertificate(balancer.cert)
  world = await watchWorld()
  channel = await offer(balancer.redirect)
  await save()
})
afterAll(async () => {
  terms.checkedMs = checkedMs
  await world.close()
  await balancer.close()
  stopTrusting()
})
beforeEach(() => {
  terms.checkedMs = 0
})
afterEach(() => {
  balancer.allows = { '/': '*' }
  balancer.allowsHeaders = 'range'
  const shown = [...received, ...world.app.logs].join('\n')
  for (const secret of [linePassword, encodeURIComponent(linePassword), `/line.`, 'line.1'])
    expect(shown, secret).not.toContain(secret)
})

/** Adds a channel to which the panel responds in this way. */
async function offer(mode: WatchWorld['panel']['streams']['modes'][string]): Promise<number> {
  const stream = `direct${++serial}`
  world.panel.streams.modes[stream] = mode
  return world.addChannel(stream)
}
/** A channel whose playlist on the load balancer consists of these lines. */
async function offerPlaylist(...rows: string[]): Promise<number> {
  const path = `/list/${++serial}`
  balancer.files[path] = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...rows)
  return offer(redirect(`${balancer.url}${path}`))
}
const segment = (address: string) => ['#EXTINF:2.0,', address]
async function save(enabled = true, hosts = [balancer.host]): Promise<void> {
  const { version } = await world.admin.client.call(getDirect, {})
  await world.admin.client.call(setDirect, { body: { enabled, hosts, version } })
}
async function play(viewer: SignedIn, channelId: number): Promise<OpenedPlay> {
  const opened = await world.play(viewer, channelId)
  received.push(JSON.stringify(opened))
  return opened
}
/** Reads how a play is delivered. */
const outcome = async ({ id }: { id: string }) =>
  (await world.app.db.select().from(plays).where(eq(plays.id, id)))[0]!.direct
/** Plays a channel and returns how the play is delivered. Expects that it can also be played through this site. */
async function outcomeOf(channelId: number): Promise<string | null> {
  const viewer = await world.signInViewer()
  const opened = await play(viewer, channelId)
  const stored = await outcome(opened)
  expect(opened.direct === null).toBe(stored !== 'direct')
  expect((await viewer.client.request(opened.address)).status).toBe(200)
  return stored
}
const problemsOf = async (channelId: number, others: { iptvUsername?: string } = {}) => {
  const result = await world.admin.client.call(testDirect, {
    body: { channelId, iptvUsername: 'line', iptvPassword: linePassword, ...others },
  })
  return result.problems.map(({ code }) => code)
}
const alive = (
  { client }: SignedIn,
  { id, generation }: Pick<OpenedPlay, 'id' | 'generation'>,
  sign: { relayed?: true; loaded?: string[] } = {},
) => client.call(keepAlive, { params: { playId: id }, body: { generation, ...sign } })

const password = encodeURIComponent(linePassword)
const twice = encodeURIComponent(password)
const base64 = Buffer.from(linePassword).toString('base64url')
const hex = Buffer.from(linePassword).toString('hex')

describe('a stream goes through this site, and the test says why, if', () => {
  test.each<[string, string, () => Promise<number>]>([
    ['the load balancer does not use https', 'not_https', () => world.addChannel('news')],
    ...[
      `/live/x/${password}/1.ts`,
      `/live/x/${twice}/1.ts`,
      `/1.ts?token=${password.replaceAll('%20', '+')}`,
      `/1.ts?token=${base64}`,
      `/${base64}/1.ts`,
      `/1.ts?token=${hex}`,
    ].map((path): [string, string, () => Promise<number>] => [
      `an address in its playlist is ${path}`,
      'credentials',
      () => offerPlaylist(...segment(path)),
    ]),
    ['a title contains the password', 'credentials', () => offerPlaylist(`#EXTINF:2.0,${linePassword}`, '/1.ts')],
    ['a segment does not use https', 'not_https', () => offerPlaylist(...segment(world.panel.streams.balancer))],
    ['a segment is on another host', 'host', () => offerPlaylist(...segment('https://other.example/1.ts'))],
    [
      'an unknown tag contains an address on another host',
      'host',
      () => offerPlaylist('#EXT-X-NEW:URI="https://other.example/"', ...segment('/1.ts')),
    ],
    [
      'addresses contain variables',
      'playlist',
      () => offerPlaylist('#EXT-X-DEFINE:NAME="a",VALUE="b"', ...segment('/1.ts')),
    ],
    ['its segments do not exist', 'unreadable', () => offerPlaylist(...segment('/missing.ts'))],
    ['the panel has only a transport stream', 'no_playlist', () => offer(transport({ seconds: 20 }))],
  ])('%s', async (_, code, add) => {
    const channelId = await add()
    expect(await problemsOf(channelId)).toContain(code)
    expect(await outcomeOf(channelId)).toBe(code)
  })

  test('its host is not in the list', async () => {
    await save(true, ['edge.example', balancer.host.replace(/:\d+$/, '')])
    expect(await problemsOf(channel)).toEqual(['host'])
    expect(await outcomeOf(channel)).toBe('host')
    await save()
  })

  test('its final address contains the password', async () => {
    const path = `/live/line.1/${password}/list`
    balancer.files[path] = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...segment('/1.ts'))
    const channelId = await offer(redirect(`${balancer.url}${path}`))
    expect(await problemsOf(channelId)).toContain('credentials')
    expect(await outcomeOf(channelId)).toBe('credentials')
  })

  test.each<[string, Record<string, string | undefined>, string]>([
    ['its playlist has no CORS header', { '/': '*', '/auth/': undefined }, 'playlist_cors'],
    ['its playlist permits another site', { '/': '*', '/auth/': 'https://other.example' }, 'playlist_cors'],
    ['its segments have no CORS header', { '/': '*', '/seg/': undefined }, 'segment_cors'],
  ])('%s', async (_, allows, code) => {
    balancer.allows = allows
    expect(await problemsOf(channel)).toEqual([code])
    expect(await outcomeOf(channel)).toBe(code)
  })

  test('its segments are ranges of a file, and the load balancer does not permit range requests', async () => {
    const path = `/file${++serial}.ts`
    balancer.files[path] = bytes(Buffer.alloc(1000, 0x47))
    const channelId = await offerPlaylist('#EXT-X-BYTERANGE:500@0', ...segment(path))
    balancer.allowsHeaders = undefined
    expect(await problemsOf(channelId)).toEqual(['range_cors'])
    expect(await outcomeOf(channelId)).toBe('range_cors')
    balancer.allowsHeaders = 'Origin, Range'
    expect(await problemsOf(channelId)).toEqual([])
    expect(await outcomeOf(channelId)).toBe('direct')
  })

  test('a variant is on another host', async () => {
    const channelId = await offerPlaylist('#EXT-X-STREAM-INF:BANDWIDTH=1000', 'https://other.example/1.m3u8')
    expect(await problemsOf(channelId)).toContain('host')
  })

  test('the playlist of a variant contains the password', async () => {
    const path = `/variant${++serial}.m3u8`
    balancer.files[path] = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...segment(`/${password}/1.ts`))
    const channelId = await offerPlaylist('#EXT-X-STREAM-INF:BANDWIDTH=1000', path)
    expect(await problemsOf(channelId)).toContain('credentials')
    expect(await outcomeOf(channelId)).toBe('credentials')
  })

  test('an address contains the username of the line', async () => {
    const channelId = await offerPlaylist(...segment('/line/1.ts'))
    expect(await problemsOf(channelId)).toContain('credentials')
  })
})

test.each([
  ['a private network', 'http://10.0.0.1/x.m3u8'],
  ['this site', 'http://localhost:3000/api/user'],
  ['a cloud metadata server', 'http://169.254.169.254/latest'],
])('the test reports a redirect of the panel to %s, which is not called', async (_, address) => {
  const channelId = await offer(redirect(address))
  const { host, problems } = await world.admin.client.call(testDirect, {
    body: { channelId, iptvUsername: 'line', iptvPassword: linePassword },
  })
  expect([host, problems]).toEqual([
    null,
    [
      {
        code: 'no_answer',
        host: null,
        detail: expect.stringContaining('redirects to a private network, to this site'),
      },
    ],
  ])
})

test('the test reports that the line is refused, and names fields that are missing', async () => {
  const result = await world.admin.client.call(testDirect, {
    body: { channelId: channel, iptvUsername: 'unknown', iptvPassword: 'x' },
  })
  expect(result.problems).toEqual([
    { code: 'no_answer', host: null, detail: 'It rejected the username and password of the line.' },
  ])
  const body = { channelId: channel, iptvUsername: '', iptvPassword: '' }
  await expect(world.admin.client.call(testDirect, { body })).rejects.toMatchObject({ status: 400 })
})

test('the page gets the address after redirects, and a loader whose policy permits only the hosts of the list', async () => {
  expect(await problemsOf(channel)).toEqual([])
  const viewer = await world.signInViewer()
  const opened = await play(viewer, channel)
  expect(opened.direct).toMatch(new RegExp(`^${balancer.url}/auth/[0-9a-f]{16}$`))
  const loader = await viewer.client.request(`/direct/${opened.id}/loader.js`)
  expect(Object.fromEntries(loader.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': `default-src 'none'; connect-src ${balancer.url}`,
    'cross-origin-embedder-policy': 'require-corp',
    'cache-control': 'no-store',
  })
  received.push(await loader.text(), JSON.stringify([...loader.headers]))
  expect(await world.admin.client.call(listRunningPlays, {})).toContainEqual(
    expect.objectContaining({ id: opened.id, direct: 'direct' }),
  )
  await viewer.client.call(endPlay, { params: { playId: opened.id }, query: {} })
  expect((await viewer.client.request(`/direct/${opened.id}/loader.js`)).status).toBe(404)
})

test('a CORS header that permits only the origin of this site is enough', async () => {
  balancer.allows = { '/': new URL(world.app.context.config.publicUrl).origin }
  expect(await problemsOf(channel)).toEqual([])
  expect(await outcomeOf(channel)).toBe('direct')
})

test('the response of a load balancer is reused for a while', async () => {
  terms.checkedMs = 60_000
  const viewer = await world.signInViewer()
  await play(viewer, channel)
  const before = balancer.requests.length
  await play(viewer, channel)
  expect(balancer.requests.slice(before).map(({ path }) => path.slice(0, 6))).toEqual(['/auth/'])
})

describe('while direct delivery is off', () => {
  test('no panel address is offered, no loader is served, and the panel gets no Origin header', async () => {
    await save(false)
    const viewer = await world.signInViewer()
    const before = balancer.requests.length
    const { id, direct } = await play(viewer, channel)
    expect(direct).toBeNull()
    expect(balancer.requests.slice(before).map(({ origin }) => origin)).toEqual([undefined])
    expect((await viewer.client.request(`/direct/${id}/loader.js`)).status).toBe(404)
    expect(await outcome({ id })).toBeNull()
    await save()
  })
})

describe('a direct play', () => {
  const seenAgo = async (id: string) => {
    const [row] = await world.app.db
      .select({ seconds: sql<number>`extract(epoch from now() - ${plays.seenAt})::float8` })
      .from(plays)
      .where(eq(plays.id, id))
    return row!.seconds
  }
  const setSeen = (id: string, seconds: number) =>
    world.app.db
      .update(plays)
      .set({ seenAt: sql`now() - make_interval(secs => ${seconds})` })
      .where(eq(plays.id, id))

  test('keeps its screen while the page sends heartbeats, and loses it 40 seconds after the last one', async () => {
    const viewer = await world.signInViewer()
    const opened = await play(viewer, channel)
    await setSeen(opened.id, 39)
    expect(await alive(viewer, opened)).toEqual({ alive: true, direct: true })
    await expect
      .poll(
        async () => {
          await relayOf(world.app.context).traffic.checkNow()
          return seenAgo(opened.id)
        },
        { timeout: 15_000 },
      )
      .toBeLessThan(15)
    expect(await viewer.client.call(listPlays, {})).toHaveLength(1)
    await setSeen(opened.id, 41)
    expect(await viewer.client.call(listPlays, {})).toEqual([])
  })

  test('gets 404 after another device took over its screen, and names that device', async () => {
    const viewer = await world.signInViewer()
    const opened = await play(viewer, channel)
    const client = world.app.client()
    client.cookies.set('sid', await openSession(world.app.db, viewer.user, { ip: '127.0.0.1', userAgent: 'other' }))
    await world.play({ client, user: viewer.user }, channel, opened.id)
    await expect(alive(viewer, opened)).rejects.toMatchObject({ status: 404 })
    expect(await viewer.client.call(getPlay, { params: { playId: opened.id } })).toMatchObject({ why: 'taken' })
  })

  test('gets 404 in a tab after another tab continued the play', async () => {
    const viewer = await world.signInViewer()
    const first = await play(viewer, channel)
    const second = await play(viewer, channel)
    await expect(alive(viewer, first)).rejects.toMatchObject({ status: 404 })
    expect(await alive(viewer, second)).toEqual({ alive: true, direct: true })
  })

  test.each<[string, string, (viewer: SignedIn) => Promise<unknown>]>([
    [
      'the line is disabled',
      'expired',
      ({ user }) => world.app.db.update(lines).set({ wantedEnabled: false }).where(eq(lines.userId, user.id)),
    ],
    [
      'the right ends',
      'not_licensed',
      () =>
        world.app.db
          .update(channelRights)
          .set({ validUntil: '2020-01-02' })
          .where(eq(channelRights.channelId, channel)),
    ],
  ])('ends at its next heartbeat when %s', async (_, why, change) => {
    const viewer = await world.signInViewer()
    const opened = await play(viewer, channel)
    await change(viewer)
    await relayOf(world.app.context).traffic.stop(opened.id)
    await expect(alive(viewer, opened)).rejects.toMatchObject({ status: 404 })
    expect((await world.app.db.select().from(plays).where(eq(plays.id, opened.id)))[0]).toMatchObject({ why })
    await world.app.db.update(channelRights).set({ validUntil: '2099-12-31' })
  })

  test('gets 401 when its session has ended, and 404 when another customer sends its heartbeat', async () => {
    const viewer = await world.signInViewer()
    const opened = await play(viewer, channel)
    const other = await world.signInViewer()
    await expect(alive(other, opened)).rejects.toMatchObject({ status: 404 })
    await world.app.db.delete(sessions).where(eq(sessions.userId, viewer.user.id))
    await expect(alive(viewer, opened)).rejects.toMatchObject({ status: 401 })
  })

  test('continues through this site if the page cannot load the stream, also after the panel has renewed its tokens', async () => {
    const viewer = await world.signInViewer()
    const opened = await play(viewer, channel)
    balancer.forgetTokens()
    await alive(viewer, opened, { relayed: true })
    expect(await outcome(opened)).toBe('browser')
    expect((await viewer.client.request(opened.address)).status).toBe(200)
    const { addresses } = await world.readPlaylist(viewer, opened.address)
    expect((await viewer.client.request(addresses[0]!)).status).toBe(200)
    expect((await viewer.client.request(`/direct/${opened.id}/loader.js`)).status).toBe(404)
  })
})

test.each<[string, 'direct' | 'credentials', (viewer: SignedIn) => string]>([
  ['the password in an address', 'credentials', () => `#EXTM3U\n#EXTINF:2.0,\n/live/x/${linePassword}/2.ts`],
  ['the password, URL-encoded', 'credentials', () => `#EXTM3U\n#EXTINF:2.0,\n/live/x/${password}/2.ts`],
  ['the username of the line', 'credentials', ({ user }) => `#EXTM3U\n#EXTINF:2.0,line.${user.id}\n/2.ts`],
  ['the password in the address of a segment', 'credentials', () => `${balancer.url}/seg/${base64}.ts`],
  ['no credentials', 'direct', () => '#EXTM3U\n#EXTINF:2.0,\n/seg/0123456789abcdef/2.ts'],
])('if what the page loaded later contains %s, the outcome is %s', async (_, expected, text) => {
  const viewer = await world.signInViewer()
  const opened = await play(viewer, channel)
  const loaded = [`${balancer.url}/auth/1\n#EXTM3U`, text(viewer)]
  const isDirect = expected === 'direct'
  expect(await alive(viewer, opened, { loaded })).toEqual({ alive: true, direct: isDirect })
  expect(await outcome(opened)).toBe(expected)
  expect((await viewer.client.request(opened.address)).status).toBe(200)
  expect((await viewer.client.request(`/direct/${opened.id}/loader.js`)).status).toBe(isDirect ? 200 : 404)
  // The page reports that it continued through this site; a problem that was already stored stays.
  await alive(viewer, opened, { relayed: true })
  expect(await outcome(opened)).toBe(isDirect ? 'browser' : 'credentials')
})

test('the setting shows how plays were delivered', async () => {
  const { plays: counts } = await world.admin.client.call(getDirect, {})
  const byOutcome = new Map(counts.map(({ outcome, count }) => [outcome, count]))
  expect(byOutcome.get('direct')).toBeGreaterThan(5)
  expect(byOutcome.get('credentials')).toBeGreaterThan(5)
  expect(byOutcome.get('browser')).toBe(2)
})
