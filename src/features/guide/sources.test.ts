import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { eq, inArray, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, channelGuides, channels, guidePrograms, guideSources, guideUploads } from '#server/db/tables.ts'
import { type GuideSourcesWorld, guideSourcesWorld } from '../../../test/harness/guide-sources.ts'
import { hourly, xmltvChannel, xmltvFile } from '../../../test/harness/xmltv.ts'
import {
  createGuideSource,
  deleteGuideSource,
  finishGuideUpload,
  listChannelMatches,
  listGuideSources,
  listListings,
  readGuideSource,
  resetChannelMatch,
  sendGuidePart,
  setChannelMatch,
  updateGuideSource,
} from './admin-contract.ts'
import { getGuideNow, getProgram } from './contract.ts'
import { programOf } from './rules.ts'
import { matchNewChannels } from './server/match/match-new-channels.ts'
import { clearNowCache } from './server/read/read-now.ts'

let world: GuideSourcesWorld
beforeAll(async () => {
  world = await guideSourcesWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.app.db.delete(guideSources)
  await world.app.db.delete(channels)
})

const today = Math.floor(Date.now() / 3_600_000) * 3_600_000
const call = () => world.admin.client.call
const file = (...ids: string[]) => xmltvFile(...ids.map((id) => xmltvChannel(id, `${id} HD`)), hourly(ids, today, 12))
const form = (more: object = {}) => ({
  name: 'Listings',
  address: `${world.server.url}/guide.xml?token=secret`,
  zone: 'UTC',
  enabled: true,
  ...more,
})
const create = (more: object = {}) => call()(createGuideSource, { body: form(more) })
const upload = async (sourceId: number, bytes: Buffer, parts = 1) => {
  const params = { sourceId, uploadId: randomUUID() }
  const size = Math.ceil(bytes.length / parts)
  for (let part = 0; part < parts; part++)
    await call()(sendGuidePart, {
      params: { ...params, part },
      body: new Uint8Array(bytes.subarray(part * size, (part + 1) * size)),
    })
  return params
}
const matchOf = async (name: string) => (await call()(listChannelMatches, { query: { search: name } })).rows[0]!
const programs = async () =>
  (await world.app.db.select({ count: sql<number>`count(*)::int` }).from(guidePrograms))[0]!.count

describe('a source is refused', () => {
  test.each([
    ['without a name', { name: ' ' }, 'name'],
    ['with an address of another scheme', { address: 'file:///etc/passwd' }, 'address'],
    ['with an address that is not a URL', { address: 'guide' }, 'address'],
    ['with an unknown zone', { zone: 'Europe/Atlantis' }, 'zone'],
    ['with a name for viewers of more than 60 characters', { shownAs: 'x'.repeat(61) }, 'shownAs'],
  ])('%s', async (_, more, path) => {
    await expect(create(more)).rejects.toMatchObject({ status: 400, issues: [{ path }] })
  })

  test('with a name that is taken, whatever its case', async () => {
    await create({ address: '' })
    await expect(create({ name: 'LISTINGS' })).rejects.toMatchObject({ status: 400, issues: [{ path: 'name' }] })
  })

  test('when another administrator changed it', async () => {
    const { id } = await create({ address: '' })
    const body = { ...form({ address: '' }), version: 1 }
    await call()(updateGuideSource, { params: { sourceId: id }, body })
    await expect(call()(updateGuideSource, { params: { sourceId: id }, body })).rejects.toMatchObject({ code: 'stale' })
    await expect(call()(deleteGuideSource, { params: { sourceId: id }, query: { version: 1 } })).rejects.toMatchObject({
      code: 'stale',
    })
  })
})

test('the address of a source is stored encrypted, and only its host is shown', async () => {
  const source = await create()
  expect(source.host).toBe(new URL(world.server.url).host)
  const changed = await call()(updateGuideSource, {
    params: { sourceId: source.id },
    body: { ...form({ address: '', name: 'Other' }), version: 1 },
  })
  expect(changed).toMatchObject({ host: source.host, name: 'Other', version: 2 })
  const everything = JSON.stringify([
    await call()(listGuideSources, {}),
    await world.app.db.select().from(guideSources),
    await world.app.db.select().from(auditLog),
    world.app.logs,
  ])
  expect(everything).not.toContain('token')
})

test('viewers see the name of a source, if it has one for them, in the guide and in the details of its programs', async () => {
  const viewer = await world.app.signIn()
  const channelId = await world.addChannel('Harbor')
  world.server.answers['/guide.xml?token=secret'] = { body: file('harbor') }
  const { id } = await create({ address: '', shownAs: 'Unused Listings', name: 'Second' }).then(() => create())
  await world.read()
  const named = async () => {
    clearNowCache(world.app.db)
    const { sources, rows } = await world.app.client().call(getGuideNow, {})
    const { startsAt } = programOf(0, rows[0]![1][0]!)
    const { source } = await viewer.client.call(getProgram, { params: { channelId, startsAt } })
    return { sources, source }
  }
  expect(await named()).toEqual({ sources: [], source: '' })
  const save = async (more: object) =>
    call()(updateGuideSource, {
      params: { sourceId: id },
      body: { ...form({ address: '', ...more }), version: (await world.source(id)).version },
    })
  expect(await save({ shownAs: '  Harbor Listings ' })).toMatchObject({ shownAs: 'Harbor Listings' })
  expect(await named()).toEqual({ sources: ['Harbor Listings'], source: 'Harbor Listings' })
  // A client that does not send the field does not change it.
  expect(await save({ name: 'Third' })).toMatchObject({ name: 'Third', shownAs: 'Harbor Listings' })
  expect(await save({ shownAs: '' })).toMatchObject({ shownAs: '' })
  expect(await named()).toEqual({ sources: [], source: '' })
})

test('a source is read when it is added and on request once every ten minutes; its programs and channels are counted', async () => {
  await world.addChannel('Harbor')
  world.server.answers['/guide.xml?token=secret'] = { body: file('harbor') }
  const { id } = await create()
  await world.read()
  expect(await call()(listGuideSources, {})).toMatchObject([{ state: 'read', programs: 12, channels: 1 }])
  await call()(readGuideSource, { params: { sourceId: id } })
  await expect(call()(readGuideSource, { params: { sourceId: id } })).rejects.toMatchObject({ status: 429 })
  expect(await world.read()).toBe(1)
})

test('a disabled source is read only on request', async () => {
  const { id } = await create({ enabled: false })
  world.server.answers['/guide.xml?token=secret'] = { body: file('harbor') }
  expect(await world.read()).toBe(0)
  await call()(readGuideSource, { params: { sourceId: id } })
  expect(await world.read()).toBe(1)
  expect(await world.source(id)).toMatchObject({ state: 'read', nextAt: null })
})

describe('an upload', () => {
  test('is refused for an unknown source, if parts are missing, and after it was finished', async () => {
    const { id } = await create({ address: '' })
    await expect(upload(999_999, Buffer.from('x'))).rejects.toMatchObject({ status: 404 })
    const params = await upload(id, Buffer.from('x'))
    await expect(call()(finishGuideUpload, { params, body: { parts: 2 } })).rejects.toMatchObject({
      code: 'incomplete',
    })
    await call()(finishGuideUpload, { params, body: { parts: 1 } })
    await expect(
      call()(sendGuidePart, { params: { ...params, part: 1 }, body: new Uint8Array([1]) }),
    ).rejects.toMatchObject({ code: 'complete' })
    await expect(call()(readGuideSource, { params: { sourceId: id } })).rejects.toMatchObject({ code: 'no_address' })
  })

  test('in several parts is read, and read again when a channel is matched later', async () => {
    await world.addChannel('Harbor')
    const later = await world.addChannel('Completely different')
    const { id } = await create({ address: '' })
    const params = await upload(id, gzipSync(file('harbor', 'bay')), 3)
    await call()(finishGuideUpload, { params, body: { parts: 3 } })
    await world.read()
    expect(await world.source(id)).toMatchObject({ state: 'read', nextAt: null })
    expect(await programs()).toBe(12)
    const [bay] = await call()(listListings, { params: { channelId: later }, query: { search: 'bay' } })
    await call()(setChannelMatch, { params: { channelId: later }, body: { listingId: bay!.id, shiftMinutes: 0 } })
    await world.app.db.update(guideSources).set({ nextAt: new Date(0).toISOString() })
    await world.read()
    expect(await programs()).toBe(24)
    expect(await world.app.db.select({ isRead: guideUploads.isRead }).from(guideUploads)).toEqual([{ isRead: true }])
  })
})

describe('matches', () => {
  const read = async (...ids: string[]) => {
    const { id } = await create()
    world.server.answers['/guide.xml?token=secret'] = { body: file(...ids) }
    await world.read()
    return id
  }

  test('are made by id or by name, or suggested', async () => {
    await world.addChannel('By id', { epgId: 'Harbor .Example' })
    await world.addChannel('UK: Bay FHD')
    await world.addChannel('Cove News')
    await read('harbor.example', 'bay', 'cove news international')
    expect(await matchOf('By id')).toMatchObject({
      matched: 'id',
      listing: { xmltvId: 'harbor.example' },
      suggestion: null,
    })
    expect(await matchOf('Bay')).toMatchObject({ matched: 'name', listing: { xmltvId: 'bay' } })
    expect(await matchOf('Cove')).toMatchObject({
      matched: null,
      listing: null,
      suggestion: { xmltvId: 'cove news international' },
    })
    expect((await call()(listChannelMatches, { query: { status: 'unmatched' } })).rows.map(({ name }) => name)).toEqual(
      ['Cove News'],
    )
  })

  test('by hand, even to no listings, are not overwritten until they are reset', async () => {
    const channelId = await world.addChannel('Harbor', { epgId: 'harbor' })
    const sourceId = await read('harbor', 'bay')
    const params = { channelId }
    const bay = (await call()(listListings, { params, query: { search: 'bay' } }))[0]!
    const again = async () => {
      await world.app.db.update(guideSources).set({ nextAt: new Date(0).toISOString() })
      await world.read()
      expect(await world.source(sourceId)).toMatchObject({ state: 'read' })
      return matchOf('Harbor')
    }
    await call()(setChannelMatch, { params, body: { listingId: bay.id, shiftMinutes: -60 } })
    expect(await again()).toMatchObject({ matched: 'hand', listing: { xmltvId: 'bay' }, shiftMinutes: -60 })
    await call()(setChannelMatch, { params, body: { listingId: null, shiftMinutes: 0 } })
    expect(await again()).toMatchObject({ matched: 'hand', listing: null, suggestion: null })
    await call()(resetChannelMatch, { params })
    expect(await again()).toMatchObject({ matched: 'id', listing: { xmltvId: 'harbor' } })
    const actions = await world.app.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(like(auditLog.action, 'channel_guide.%'))
      .orderBy(auditLog.id)
    expect(actions.slice(-3).map(({ action }) => action)).toEqual([
      'channel_guide.set',
      'channel_guide.set',
      'channel_guide.reset',
    ])
  })

  test('are refused for unknown channels and listings, and for a shift over a day', async () => {
    const channelId = await world.addChannel('Harbor')
    const set = (id: number, body: object) =>
      call()(setChannelMatch, { params: { channelId: id }, body: { listingId: null, shiftMinutes: 0, ...body } })
    await expect(set(999_999, {})).rejects.toMatchObject({ status: 404 })
    await expect(set(channelId, { listingId: 999_999 })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'listingId' }],
    })
    await expect(set(channelId, { shiftMinutes: 1_441 })).rejects.toMatchObject({ status: 400 })
    await expect(set(channelId, { shiftMinutes: 0.5 })).rejects.toMatchObject({ status: 400 })
    await expect(call()(listListings, { params: { channelId: 999_999 }, query: {} })).rejects.toMatchObject({
      status: 404,
    })
  })

  test('are made for channels that are imported later, without reading the source, and request a full read', async () => {
    const sourceId = await read('harbor', 'bay')
    await world.addChannel('Harbor')
    expect(await matchNewChannels(world.app.db, world.connection)).toBe(1)
    expect(await matchNewChannels(world.app.db, world.connection)).toBe(0)
    expect(await matchOf('Harbor')).toMatchObject({ matched: 'name' })
    expect(Date.parse((await world.source(sourceId)).nextAt!)).toBeLessThan(Date.now() + 120_000)
  })

  test('are deleted with their source', async () => {
    await world.addChannel('Harbor')
    const sourceId = await read('harbor')
    await call()(deleteGuideSource, { params: { sourceId }, query: { version: 1 } })
    expect([await world.app.db.select().from(channelGuides), await programs()]).toEqual([[], 0])
  })
})

test('every change of a source is audited without its address', async () => {
  const { id } = await create()
  await call()(readGuideSource, { params: { sourceId: id } })
  await call()(deleteGuideSource, { params: { sourceId: id }, query: { version: 1 } })
  const entries = await world.app.db
    .select()
    .from(auditLog)
    .where(inArray(auditLog.action, ['guide_source.create', 'guide_source.read', 'guide_source.delete']))
    .orderBy(auditLog.id)
  const own = entries.filter(({ targetId }) => targetId === String(id))
  expect(own.map(({ action }) => action)).toEqual(['guide_source.create', 'guide_source.read', 'guide_source.delete'])
  expect(own[0]!.after).toEqual({ name: 'Listings', zone: 'UTC', enabled: true, host: new URL(world.server.url).host })
  expect(await world.app.db.select().from(guideSources).where(eq(guideSources.id, id))).toEqual([])
})
