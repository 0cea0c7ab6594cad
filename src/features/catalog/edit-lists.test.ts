import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listWatchlist, updateWatchlist } from '#features/watchlist/contract.ts'
import { seedSample } from '#server/db/seed.ts'
import { auditLog } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import * as c from './admin-contract.ts'
import { listChannels, listDeviceCategories, listFaqs } from './contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  await seedSample(app.db)
})
afterAll(() => app.close())

const lastEntry = async (targetType: string, id: number) => {
  const [entry] = await app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.targetType, targetType), eq(auditLog.targetId, String(id))))
    .orderBy(desc(auditLog.id))
    .limit(1)
  return entry
}

describe('questions', () => {
  const body = { question: 'Is there golf?', answer: 'On every weekend.', hidden: false }
  const all = () => admin.client.call(c.listAllFaqs, {})
  const shown = async () => (await app.client().call(listFaqs, {})).map(({ question }) => question)
  const move = (id: number, direction: 'up' | 'down') =>
    admin.client.call(c.moveFaq, { params: { faqId: id }, body: { move: direction } })

  test('reject an empty text, a duplicate question and a stale change', async () => {
    await expect(admin.client.call(c.createFaq, { body: { ...body, answer: ' ' } })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'answer' }],
    })
    const [first] = await all()
    await expect(
      admin.client.call(c.createFaq, { body: { ...body, question: first!.question } }),
    ).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'question', message: 'This question already exists' }],
    })
    const change = (version: number) =>
      admin.client.call(c.updateFaq, {
        params: { faqId: first!.id },
        body: { ...body, question: 'Other words?', version },
      })
    await change(first!.version)
    await expect(change(first!.version)).rejects.toMatchObject({ status: 409, code: 'stale' })
  })

  test('are added at the end, hidden, shown and deleted, with an audit entry for each change', async () => {
    const made = await admin.client.call(c.createFaq, { body })
    expect((await shown()).at(-1)).toBe(body.question)
    const hidden = await admin.client.call(c.updateFaq, {
      params: { faqId: made.id },
      body: { ...body, hidden: true, version: made.version },
    })
    expect(await shown()).not.toContain(body.question)
    expect(await lastEntry('faq', made.id)).toMatchObject({
      action: 'faq.update',
      actorId: admin.user.id,
      before: { hidden: false },
      after: { hidden: true },
    })
    await admin.client.call(c.deleteFaq, { params: { faqId: made.id }, query: { version: hidden.version } })
    expect((await all()).map(({ id }) => id)).not.toContain(made.id)
    expect(await lastEntry('faq', made.id)).toMatchObject({ action: 'faq.delete', before: { question: body.question } })
  })

  test('move one position, stay at either end, and have positions without gaps', async () => {
    const [first, second] = await all()
    const moved = await move(second!.id, 'up')
    expect(moved.slice(0, 2).map(({ id }) => id)).toEqual([second!.id, first!.id])
    expect(moved.map(({ order }) => order)).toEqual(moved.map((_, index) => index + 1))
    expect(await move(second!.id, 'up')).toEqual(moved)
    expect(await move(moved.at(-1)!.id, 'down')).toEqual(moved)
    expect(await lastEntry('faq', second!.id)).toMatchObject({
      action: 'faq.move',
      before: { place: 2 },
      after: { place: 1 },
    })
  })

  test('are all kept when administrators move them concurrently', async () => {
    const before = await all()
    await Promise.all(before.map(({ id }, index) => move(id, index % 2 ? 'up' : 'down')))
    const after = await all()
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted())
    expect(after.map(({ order }) => order)).toEqual(after.map((_, index) => index + 1))
  })
})

describe('device categories', () => {
  const body = { name: 'Projectors', icon: 'tv' as const, devices: ['Any with HDMI'], hidden: false }

  test('reject an unknown icon, an empty list and a duplicate name', async () => {
    const make = (overrides: object) => admin.client.call(c.createDeviceCategory, { body: { ...body, ...overrides } })
    await expect(make({ icon: 'skull' })).rejects.toMatchObject({ status: 400, issues: [{ path: 'icon' }] })
    await expect(make({ devices: [] })).rejects.toMatchObject({ status: 400, issues: [{ path: 'devices' }] })
    await expect(make({ name: 'Amazon Fire TV' })).rejects.toMatchObject({ status: 400, issues: [{ path: 'name' }] })
  })

  test('are added, moved and hidden on the public list', async () => {
    const made = await admin.client.call(c.createDeviceCategory, { body })
    await admin.client.call(c.moveDeviceCategory, { params: { categoryId: made.id }, body: { move: 'up' } })
    const shown = await app.client().call(listDeviceCategories, {})
    expect(shown.at(-2)).toMatchObject({ name: 'Projectors', devices: ['Any with HDMI'] })
    await admin.client.call(c.updateDeviceCategory, {
      params: { categoryId: made.id },
      body: { ...body, hidden: true, version: made.version },
    })
    expect((await app.client().call(listDeviceCategories, {})).map(({ name }) => name)).not.toContain('Projectors')
    await admin.client.call(c.deleteDeviceCategory, {
      params: { categoryId: made.id },
      query: { version: made.version + 1 },
    })
  })
})

describe('channels', () => {
  const body = {
    name: 'Harbor Golf',
    category: 'sports' as const,
    logo: '',
    previewUrl: '',
    featured: false,
    hidden: false,
  }
  const make = (overrides: object = {}) => admin.client.call(c.createChannel, { body: { ...body, ...overrides } })

  test.each([
    'https://elsewhere.example/logo.png',
    '//elsewhere.example/x.png',
    'javascript:alert(1)',
    'logo.png',
    '/\\elsewhere.example',
    '/a b',
  ])('reject %s as logo and as preview, since pages load from this site only', async (address) => {
    await expect(make({ logo: address })).rejects.toMatchObject({ status: 400, issues: [{ path: 'logo' }] })
    await expect(make({ previewUrl: address })).rejects.toMatchObject({ status: 400, issues: [{ path: 'previewUrl' }] })
  })

  test('cannot be deleted while on a watchlist, and are removed from the lineup and watchlists while hidden', async () => {
    const made = await make()
    const customer = await app.signIn()
    await customer.client.call(updateWatchlist, { params: { channelId: made.id }, body: { listed: true } })
    await expect(
      admin.client.call(c.deleteChannel, { params: { channelId: made.id }, query: { version: 1 } }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'channel_in_use',
    })
    await admin.client.call(c.updateChannel, {
      params: { channelId: made.id },
      body: { ...body, hidden: true, version: 1 },
    })
    expect((await app.client().call(listChannels, {})).map(({ id }) => id)).not.toContain(made.id)
    expect(await customer.client.call(listWatchlist, {})).toEqual([])
    await admin.client.call(c.updateChannel, { params: { channelId: made.id }, body: { ...body, version: 2 } })
    expect(await customer.client.call(listWatchlist, {})).toMatchObject([{ id: made.id }])
  })

  test('have a logo generated from the name unless an image is set', async () => {
    const drawn = await make({ name: 'Harbor Chess' })
    expect(drawn).toMatchObject({ logo: 'mark:Harbor Chess', previewUrl: null })
    const renamed = await admin.client.call(c.updateChannel, {
      params: { channelId: drawn.id },
      body: { ...body, name: 'Harbor Checkers', version: 1 },
    })
    expect(renamed.logo).toBe('mark:Harbor Checkers')
    expect(
      await make({ name: 'Harbor Film', logo: '/logos/film.png', previewUrl: '/previews/bars/index.m3u8' }),
    ).toMatchObject({
      logo: '/logos/film.png',
      previewUrl: '/previews/bars/index.m3u8',
    })
  })

  test('are paged in the order of the lineup, with a literal search and a category filter', async () => {
    const list = (query: object) => admin.client.call(c.listAllChannels, { query })
    const { rows, total } = await list({ page: 2, pageSize: 25 })
    expect(total).toBeGreaterThan(180)
    const lineup = await app.client().call(listChannels, {})
    expect(rows.map(({ name }) => name)).toEqual(lineup.slice(25, 50).map(({ name }) => name))
    expect((await list({ search: 'HARBOR ch' })).rows.map(({ name }) => name)).toEqual(['Harbor Checkers'])
    expect((await list({ search: '%' })).total).toBe(0)
    const kids = await list({ status: 'kids', sort: 'name', order: 'desc', pageSize: 500 })
    expect(kids.rows.map(({ name }) => name.toLowerCase())).toEqual(
      kids.rows
        .map(({ name }) => name.toLowerCase())
        .toSorted()
        .toReversed(),
    )
    expect(new Set(kids.rows.map(({ category }) => category))).toEqual(new Set(['kids']))
  })
})
