import { createHash, randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startViewing } from '#features/impersonation/admin-contract.ts'
import { rightsStatement, setWatching } from '#features/watch/admin-contract.ts'
import { openPlay } from '#features/watch/contract.ts'
import {
  channelGuides,
  channelRights,
  channelStreams,
  channels,
  devices,
  guideChannels,
  guidePrograms,
  guideSources,
  users,
  watchProgress,
} from '#server/db/tables.ts'
import type { Client, SignedIn } from '../../../test/harness/app.ts'
import { transport } from '../../../test/harness/fake-streams.ts'
import { minutesFromNow } from '../../../test/harness/guide-world.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import {
  clearWatchProgress,
  listWatchProgress,
  removeWatchProgress,
  setWatchHistory,
  storeWatchProgress,
} from './contract.ts'
import { maxProgress, progressRef } from './rules.ts'

const minute = 60_000
const inMinutes = minutesFromNow()
/** When the one-hour programs on every channel start, in minutes from now: two are in the archive, one is too old, one is running, and one is in the future. */
const starts = [-180, -120, -50 * 60, -10, 120]
let world: WatchWorld
let sourceId: number
let channelId: number
let viewer: SignedIn

beforeAll(async () => {
  world = await watchWorld()
  const [source] = await world.app.db
    .insert(guideSources)
    .values({ name: 'Listings' })
    .returning({ id: guideSources.id })
  sourceId = source!.id
  channelId = await addTape()
  world.panel.streams.modes['tape.ts'] = transport({ burst: 20 })
})
afterAll(() => world.close())
beforeEach(async () => {
  viewer = await world.signInViewer()
})

/** Adds a channel whose recordings are kept for two days, with listings. */
async function addTape(state: Parameters<WatchWorld['addChannel']>[1] = {}): Promise<number> {
  const { db } = world.app
  const id = await world.addChannel('tape', state)
  await db.insert(channelStreams).values({ channelId: id, archiveDays: 2 })
  const [listed] = await db
    .insert(guideChannels)
    .values({ sourceId, xmltvId: `tape.${id}`, name: 'Tape' })
    .returning({ id: guideChannels.id })
  await db.insert(channelGuides).values({ channelId: id, guideChannelId: listed!.id, matched: 'id', shiftMinutes: 0 })
  await db.insert(guidePrograms).values(
    starts.map((start) => ({
      guideChannelId: listed!.id,
      startsAt: inMinutes(start),
      endsAt: inMinutes(start + 60),
      title: `Secret Title ${start}`,
      subtitle: 'Low Tide',
    })),
  )
  return id
}

const refOf = (start: number, channel = channelId) => progressRef({ channelId: channel, startsAt: inMinutes(start) })
const store = ({ client }: { client: Client }, positionMs: number, ref = refOf(-120)) =>
  client.call(storeWatchProgress, { params: { kind: 'catchup', ref }, body: { positionMs } })
const list = ({ client }: { client: Client }) => client.call(listWatchProgress, {})
const rowsOf = ({ user }: SignedIn) =>
  world.app.db.select().from(watchProgress).where(eq(watchProgress.userId, user.id))
const send = ({ client }: { client: Client }, path: string, body: unknown, method = 'PUT') =>
  client.request(`/api/watch-progress${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
/** Makes the last position of a customer so old that the next one is not ignored. */
const wait = ({ user }: SignedIn) =>
  world.app.db
    .update(watchProgress)
    .set({ seenAt: sql`seen_at - interval '15 seconds'` })
    .where(eq(watchProgress.userId, user.id))

describe('a request is refused', () => {
  test('without a session', async () => {
    const anonymous = { client: world.app.client() }
    expect((await anonymous.client.request('/api/watch-progress')).status).toBe(401)
    for (const [path, body, method] of [
      [`/catchup/${refOf(-120)}`, { positionMs: 60_000 }, 'PUT'],
      [`/catchup/${refOf(-120)}`, {}, 'DELETE'],
      ['', {}, 'DELETE'],
      ['', { isKept: false }, 'PUT'],
    ] as const)
      expect((await send(anonymous, path, body, method)).status).toBe(401)
  })

  test.each([
    `/movie/${1}-1796000000000`,
    '/live/1-1796000000000',
    '/catchup/1',
    '/catchup/0-1796000000000',
    '/catchup/2147483648-1796000000000',
    '/catchup/1-1796000000000%20',
    '/catchup/1-9996000000000',
  ])('for %s, which is not a valid reference', async (path) => {
    for (const method of ['PUT', 'DELETE'])
      expect((await send(viewer, path, { positionMs: 60_000 }, method)).status).toBe(404)
  })

  test.each([
    {},
    { positionMs: -1 },
    { positionMs: 0.5 },
    { positionMs: 86_400_001 },
    { positionMs: 1e308 },
    { positionMs: '60000' },
    { positionMs: null },
  ])('for the position %j', async (body) => {
    expect((await send(viewer, `/catchup/${refOf(-120)}`, body)).status).toBe(400)
    expect(await rowsOf(viewer)).toEqual([])
  })

  test('for a program of another channel, one that is not listed, and one outside of the archive', async () => {
    const other = await world.addChannel('tape')
    for (const ref of [refOf(-120, other), refOf(-90), refOf(-50 * 60), refOf(120), refOf(-120, 2_147_483_647)])
      await expect(store(viewer, 60_000, ref)).rejects.toMatchObject({ status: 404 })
    expect(await rowsOf(viewer)).toEqual([])
  })

  test('for a channel that is not published, not licensed, not licensed here, or hidden, and while watching is off', async () => {
    const unpublished = await addTape({ published: false })
    await expect(store(viewer, 60_000, refOf(-120, unpublished))).rejects.toMatchObject({ status: 404 })
    const changing = await addTape()
    const { db } = world.app
    const attempt = () => store(viewer, 60_000, refOf(-120, changing))
    const isRight = eq(channelRights.channelId, changing)
    await db.update(channelRights).set({ territories: 'DE' }).where(isRight)
    await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'territory' })
    await db.update(channelRights).set({ territories: 'WORLD', validUntil: '2020-12-31' }).where(isRight)
    await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'not_licensed' })
    await db.update(channelRights).set({ validUntil: '2099-12-31', archiveHours: 1 }).where(isRight)
    await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'archive_missing' })
    await db.update(channelRights).set({ archiveHours: 48 }).where(isRight)
    await db.update(channels).set({ hidden: true }).where(eq(channels.id, changing))
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
    await db.update(channels).set({ hidden: false }).where(eq(channels.id, changing))
    await world.admin.client.call(setWatching, { body: { enabled: false } })
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
    await world.admin.client.call(setWatching, { body: { enabled: true, statement: rightsStatement } })
    expect(await attempt()).toEqual({ stored: true })
  })
})

describe('privacy', () => {
  test('another customer can neither see nor remove a position', async () => {
    const other = await world.signInViewer()
    await store(viewer, 10 * minute)
    expect((await list(other)).items).toEqual([])
    await other.client.call(removeWatchProgress, { params: { kind: 'catchup', ref: refOf(-120) } })
    await other.client.call(clearWatchProgress, {} as never)
    await other.client.call(setWatchHistory, { body: { isKept: false } })
    expect((await list(viewer)).items).toHaveLength(1)
  })

  test('an administrator who views the site as the customer sees no positions, and no log contains a title', async () => {
    await store(viewer, 10 * minute)
    const admin = await world.app.signInAdmin()
    await admin.client.call(startViewing, { params: { userId: viewer.user.id } } as never)
    expect(await list(admin)).toEqual({ isKept: true, items: [] })
    expect((await send(admin, `/catchup/${refOf(-120)}`, { positionMs: 0 })).status).toBe(403)
    expect((await list(viewer)).items).toHaveLength(1)
    expect(world.app.logs.join('\n')).not.toContain('Secret Title')
  })

  test('positions are deleted with the account', async () => {
    await store(viewer, 10 * minute)
    await world.app.database.pool.query('DELETE FROM lines WHERE user_id = $1', [viewer.user.id])
    await world.app.database.pool.query('DELETE FROM users WHERE id = $1', [viewer.user.id])
    expect(await rowsOf(viewer)).toEqual([])
  })
})

describe('a position', () => {
  test('is listed with what the page shows about its program, most recently watched first', async () => {
    await store(viewer, 10 * minute)
    await wait(viewer)
    await store(viewer, 20 * minute, refOf(-180))
    const { isKept, items } = await list(viewer)
    expect(isKept).toBe(true)
    expect(items).toMatchObject([{ ref: refOf(-180) }, { ref: refOf(-120) }])
    expect(items[1]).toEqual({
      kind: 'catchup',
      ref: refOf(-120),
      channelId,
      channelName: 'Channel 1',
      category: 'news',
      startsAt: inMinutes(-120),
      endsAt: inMinutes(-60),
      title: 'Secret Title -120',
      detail: 'Low Tide',
      isNew: false,
      positionMs: 10 * minute,
      lengthMs: 60 * minute,
    })
  })

  test('in a program that is still running is stored, too', async () => {
    await store(viewer, 2 * minute, refOf(-10))
    expect((await list(viewer)).items).toMatchObject([{ ref: refOf(-10) }])
  })

  test('after the end counts as the end, and a finished program is not listed until it is watched again', async () => {
    await store(viewer, 86_400_000)
    expect(await rowsOf(viewer)).toMatchObject([{ positionMs: 60 * minute, lengthMs: 60 * minute, done: true }])
    expect((await list(viewer)).items).toEqual([])
    await store(viewer, 15_000)
    expect((await list(viewer)).items).toMatchObject([{ positionMs: 15_000 }])
  })

  test('is ignored shortly after the last one, unless the viewer jumped within the program', async () => {
    expect(await store(viewer, 60_000)).toEqual({ stored: true })
    expect(await store(viewer, 70_000)).toEqual({ stored: false })
    expect(await store(viewer, 20 * minute)).toEqual({ stored: true })
    expect(await store(viewer, 20 * minute + 15_000)).toEqual({ stored: false })
    await wait(viewer)
    expect(await store(viewer, 20 * minute + 15_000)).toEqual({ stored: true })
    expect(await rowsOf(viewer)).toMatchObject([{ positionMs: 20 * minute + 15_000 }])
  })

  test('is no longer listed when its channel or its program can no longer be watched', async () => {
    const id = await addTape()
    await store(viewer, 10 * minute, refOf(-120, id))
    const count = async () => (await list(viewer)).items.length
    const { db } = world.app
    const isRight = eq(channelRights.channelId, id)
    expect(await count()).toBe(1)
    await db.update(channelRights).set({ territories: 'DE' }).where(isRight)
    expect(await count()).toBe(0)
    await db.update(channelRights).set({ territories: 'WORLD', archiveHours: 1 }).where(isRight)
    expect(await count()).toBe(0)
    await db.update(channelRights).set({ archiveHours: 48 }).where(isRight)
    expect(await count()).toBe(1)
    await db.update(channels).set({ hidden: true }).where(eq(channels.id, id))
    expect(await count()).toBe(0)
    await db.update(channels).set({ hidden: false }).where(eq(channels.id, id))
    await db.delete(guidePrograms).where(
      and(
        eq(guidePrograms.startsAt, inMinutes(-120)),
        sql`guide_channel_id =
      (select guide_channel_id from channel_guides where channel_id = ${id})`,
      ),
    )
    expect(await count()).toBe(0)
  })

  test('can be removed alone or with all others, also repeatedly', async () => {
    await store(viewer, 10 * minute)
    await store(viewer, 10 * minute, refOf(-180))
    const params = { kind: 'catchup', ref: refOf(-120) } as const
    for (const _ of [1, 2]) await viewer.client.call(removeWatchProgress, { params })
    expect(await rowsOf(viewer)).toMatchObject([{ ref: refOf(-180) }])
    for (const _ of [1, 2]) await viewer.client.call(clearWatchProgress, {} as never)
    expect(await rowsOf(viewer)).toEqual([])
  })

  test('sent by a TV of the customer is returned to the browser, and vice versa', async () => {
    const token = randomBytes(32).toString('base64url')
    const tokenHash = createHash('sha256').update(token).digest()
    await world.app.db.insert(devices).values({ userId: viewer.user.id, kind: 'tv', name: 'Bedroom', tokenHash })
    const tv = { client: world.app.client() }
    tv.client.cookies.set('device', token)
    await store(tv, 10 * minute)
    expect((await list(viewer)).items).toMatchObject([{ positionMs: 10 * minute }])
    await store(viewer, 30 * minute)
    expect((await list(tv)).items).toMatchObject([{ positionMs: 30 * minute }])
    // The setting belongs to the account, not to the device.
    expect((await send(tv, '', { isKept: false })).status).toBe(401)
    await tv.client.call(removeWatchProgress, { params: { kind: 'catchup', ref: refOf(-120) } })
    expect(await rowsOf(viewer)).toEqual([])
  })
})

describe('the watch history of a customer', () => {
  test('has at most 200 programs, also after parallel requests; those watched longest ago are deleted', async () => {
    const old = Array.from({ length: maxProgress }, (_, n) => ({
      ...{ userId: viewer.user.id, kind: 'catchup' as const, positionMs: 1, lengthMs: 2 },
      ref: `${channelId}-${Date.parse(inMinutes(-n)) - 1}`,
      seenAt: new Date(Date.now() - 3_600_000 + n * 1_000).toISOString(),
    }))
    await world.app.db.insert(watchProgress).values(old)
    const tapes = await Promise.all([1, 2, 3].map(() => addTape()))
    const added = tapes.flatMap((id) => [-180, -120, -10].map((start) => refOf(start, id)))
    await Promise.all([...added, ...added].map((ref) => store(viewer, 5 * minute, ref)))
    const refs = new Set((await rowsOf(viewer)).map(({ ref }) => ref))
    expect(refs.size).toBe(maxProgress)
    expect(added.filter((ref) => !refs.has(ref))).toEqual([])
    expect(old.filter(({ ref }) => !refs.has(ref)).map(({ ref }) => ref)).toEqual(
      old.slice(0, added.length).map(({ ref }) => ref),
    )
  })

  test('has one position per program after parallel requests', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, () => store(viewer, 5 * minute)))
    expect(stored.filter((each) => each.stored)).toHaveLength(1)
    expect(await rowsOf(viewer)).toHaveLength(1)
  })

  test('is deleted when the customer turns it off, and stays empty until they turn it on again', async () => {
    await store(viewer, 10 * minute)
    await viewer.client.call(setWatchHistory, { body: { isKept: false } })
    expect(await list(viewer)).toEqual({ isKept: false, items: [] })
    expect(await rowsOf(viewer)).toEqual([])
    expect(await store(viewer, 10 * minute)).toEqual({ stored: false })
    await viewer.client.call(setWatchHistory, { body: { isKept: false } })
    expect(await rowsOf(viewer)).toEqual([])
    await viewer.client.call(setWatchHistory, { body: { isKept: true } })
    expect(await store(viewer, 10 * minute)).toEqual({ stored: true })
    expect((await list(viewer)).isKept).toBe(true)
  })

  test('stays empty if positions arrive while it is being turned off', async () => {
    for (let round = 0; round < 5; round++) {
      const sent = [-180, -120, -10].map((start) => store(viewer, (round + 1) * minute, refOf(start)))
      await Promise.all([...sent, viewer.client.call(setWatchHistory, { body: { isKept: false } }), ...sent])
      expect(await rowsOf(viewer)).toEqual([])
      const [user] = await world.app.db.select().from(users).where(eq(users.id, viewer.user.id))
      expect(user?.noHistorySince).not.toBeNull()
      await viewer.client.call(setWatchHistory, { body: { isKept: true } })
    }
  })
})

describe('a recording that is opened', () => {
  const open = async (from: string, resume?: boolean) =>
    (await viewer.client.call(openPlay, { body: { channelId, from, ...(resume && { resume }) } })).recording
  const start = inMinutes(-120)
  const intoProgram = (ms: number) => new Date(Date.parse(start) + ms).toISOString()

  test('at its start resumes five seconds before the stored position, if the page requests that', async () => {
    expect(await open(start, true)).toMatchObject({ at: start, isResumed: false })
    await store(viewer, 10 * minute)
    expect(await open(start)).toMatchObject({ at: start, isResumed: false })
    expect(await open(start, true)).toMatchObject({
      from: start,
      at: intoProgram(10 * minute - 5_000),
      isResumed: true,
    })
    expect(await open(intoProgram(minute), true)).toMatchObject({ at: intoProgram(minute), isResumed: false })
  })

  test('starts over after it was watched to the end, and for another customer', async () => {
    await store(viewer, 59 * minute)
    expect(await open(start, true)).toMatchObject({ at: start, isResumed: false })
    await store(viewer, 10 * minute)
    viewer = await world.signInViewer()
    expect(await open(start, true)).toMatchObject({ at: start, isResumed: false })
  })
})
