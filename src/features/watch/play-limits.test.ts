// How often a customer may send requests, which slots are kept for paid lines, and which line is used.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lines, trialRequests, users } from '#server/db/tables.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { bytes, segmentOf } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getWatch } from './contract.ts'
import { relayOf } from './server/relay/relay.ts'

const send = ({ client }: SignedIn, method: string, path: string, body?: object) =>
  client.request(path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
const answerOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

describe('with the usual limits', () => {
  let strict: WatchWorld
  beforeAll(async () => {
    strict = await watchWorld({ rateLimitFactor: 1 })
  })
  afterAll(() => strict.close())
  const evening = '2027-03-14T00:00:00.000Z'

  test.each<[string, number, number, string, string, object?]>([
    ['channel changes', 90, 60, 'POST', '/api/plays', { channelId: 999_999 }],
    ['stopped plays', 90, 60, 'DELETE', `/api/plays/${randomUUID()}`, {}],
    ['seeks', 6, 10, 'PUT', `/api/plays/${randomUUID()}`, { from: evening }],
    ['guide searches', 60, 60, 'GET', `/api/guide/search?q=news&from=${evening}`],
    ['marked programs', 60, 60, 'PUT', `/api/program-marks/1/${evening}`, { onWatchlist: true, reminder: false }],
  ])('%s: %i in %i seconds, then 429', async (_, calls, seconds, method, path, body) => {
    const viewer = await strict.app.signIn()
    const statuses: number[] = []
    for (let call = 0; call < calls; call++) statuses.push((await send(viewer, method, path, body)).status)
    expect(statuses).not.toContain(429)
    const refused = await send(viewer, method, path, body)
    expect(await answerOf(refused)).toEqual([429, 'too_many'])
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(seconds)
    expect((await send(await strict.app.signIn(), method, path, body)).status).not.toBe(429)
  })
})

describe('the last tenth of the request slots', () => {
  let world: WatchWorld
  let news: number
  let slow: number
  beforeAll(async () => {
    world = await watchWorld({ streamMost: 10 })
    news = await world.addChannel('direct')
    slow = await world.addChannel('slow')
    const { streams } = world.panel
    streams.files['/slow.ts'] = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp2t' })
      response.write(segmentOf(0))
    }
    streams.modes.slow = (response) =>
      bytes(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${streams.balancer}/slow.ts\n`)(response, {} as never)
  })
  afterAll(() => world.close())

  /** Signs in a customer whose trial was approved. */
  async function signInTrial(): Promise<SignedIn> {
    const viewer = await world.signInViewer()
    const userId = viewer.user.id
    const trialUntil = '2099-01-01T00:00:00Z'
    await world.app.db.update(lines).set({ trialUntil, wantedUntil: trialUntil }).where(eq(lines.userId, userId))
    await world.app.db.insert(trialRequests).values({
      userId,
      status: 'approved',
      message: '',
      device: 'Fire TV',
      trialUsername: `line.${userId}`,
      trialPassword: seal(
        secretKey(world.app.context.config),
        linePassword,
        sealedColumns.trialPassword.context(userId),
      ),
      trialServer: world.panel.url,
      expiryDate: trialUntil,
    })
    return viewer
  }
  /** Begins to read this many segments. Returns a function that stops reading one of them. */
  async function readSegments(count: number): Promise<() => Promise<void>> {
    const before = relayOf(world.app.context).traffic.running
    const viewer = await world.signInViewer()
    const { address } = await world.play(viewer, slow)
    const { addresses } = await world.readPlaylist(viewer, address)
    const readers = await Promise.all(
      Array.from({ length: count }, async () => {
        const reader = (await viewer.client.request(addresses[0]!)).body!.getReader()
        await reader.read()
        return reader
      }),
    )
    expect(relayOf(world.app.context).traffic.running).toBe(before + count)
    onTestFinished(async () => {
      for (const reader of readers) await reader.cancel().catch(() => undefined)
    })
    return async () => void (await readers.pop()!.cancel())
  }

  test('is refused to trials, which can open and play again as soon as another slot is free', async () => {
    const trial = await signInTrial()
    const { address } = await world.play(trial, news)
    await readSegments(5)
    const stop = await readSegments(4)
    const playlist = await trial.client.request(address)
    expect(await answerOf(playlist)).toEqual([503, 'relay_full'])
    expect(playlist.headers.get('retry-after')).toBe('10')
    const opened = await send(trial, 'POST', '/api/plays', { channelId: news })
    expect(await answerOf(opened)).toEqual([503, 'relay_full'])
    expect(opened.headers.get('retry-after')).toBe('10')

    await stop()
    await expect.poll(async () => (await trial.client.request(address)).status).toBe(200)
    await world.play(trial, news)
  })

  test('is used by paid lines', async () => {
    await expect.poll(() => relayOf(world.app.context).traffic.running).toBe(0)
    await readSegments(5)
    await readSegments(4)
    const paid = await world.signInViewer()
    const { address } = await world.play(paid, news)
    expect((await paid.client.request(address)).status).toBe(200)
  })
})

describe('a channel is requested with', () => {
  let world: WatchWorld
  let news: number
  let serial = 0
  beforeAll(async () => {
    world = await watchWorld()
    news = await world.addChannel('direct')
  })
  afterAll(() => world.close())

  /** Adds a synced panel account to a customer who has a subscription. Returns its username. */
  async function syncAccount(userId: number, more: Partial<typeof users.$inferInsert> = {}): Promise<string> {
    const iptvUsername = `unsaid.${++serial}`
    const key = secretKey(world.app.context.config)
    await world.app.db
      .update(users)
      .set({
        iptvUsername,
        iptvPassword: seal(key, linePassword, sealedColumns.iptvPassword.context(userId)),
        iptvSynced: true,
        subscriptionStatus: 'active',
        subscriptionEndDate: '2099-01-01T00:00:00Z',
        ...more,
      })
      .where(eq(users.id, userId))
    return iptvUsername
  }
  const usedNames = (from: number) => {
    const names = world.panel.streams.requests.slice(from).map((path) => /\/live\/([^/]+)\//.exec(path)?.[1])
    return [...new Set(names.filter((name) => name !== undefined))]
  }
  const asked = () => world.panel.streams.requests.length
  const screensOf = async ({ client }: SignedIn) => (await client.call(getWatch, {})).screens

  test('no line if the synced account belongs to a subscription that has ended', async () => {
    const viewer = await world.app.signIn()
    await syncAccount(viewer.user.id, { subscriptionEndDate: '2020-01-01T00:00:00Z' })
    const before = asked()
    await expect(world.play(viewer, news)).rejects.toMatchObject({ status: 403, code: 'expired' })
    expect(usedNames(before)).toEqual([])
    expect(await screensOf(viewer)).toBe(0)
  })

  test('no line if an administrator paused the customer’s own line and no account is synced', async () => {
    const viewer = await world.signInViewer()
    await world.app.db
      .update(users)
      .set({ subscriptionStatus: 'active', subscriptionEndDate: '2099-01-01T00:00:00Z' })
      .where(eq(users.id, viewer.user.id))
    await world.app.db.update(lines).set({ wantedEnabled: false }).where(eq(lines.userId, viewer.user.id))
    const before = asked()
    await expect(world.play(viewer, news)).rejects.toMatchObject({ status: 403, code: 'paused' })
    expect(usedNames(before)).toEqual([])
  })

  test('the customer’s own line if it is ready, although an account is synced too', async () => {
    const viewer = await world.signInViewer(3)
    await syncAccount(viewer.user.id, { iptvMaxConnections: 5 })
    const before = asked()
    const { address } = await world.play(viewer, news)
    await world.readPlaylist(viewer, address)
    expect(usedNames(before)).toEqual([`line.${viewer.user.id}`])
    expect(await screensOf(viewer)).toBe(3)
  })

  test.each([
    [null, 1],
    [0, 20],
    [5, 5],
  ])(
    'the synced account while the customer’s own line is not ready; its limit %s allows %i screens',
    async (most, screens) => {
      const viewer = await world.signInViewer(3)
      await world.app.db.update(lines).set({ panelEnabled: false }).where(eq(lines.userId, viewer.user.id))
      const username = await syncAccount(viewer.user.id, { iptvMaxConnections: most })
      const before = asked()
      const { address } = await world.play(viewer, news)
      await world.readPlaylist(viewer, address)
      expect(usedNames(before)).toEqual([username])
      expect(await screensOf(viewer)).toBe(screens)
    },
  )
})
