import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markLogo, markName } from '#kit/mark-logo.ts'
import { seedSample } from '#server/db/seed.ts'
import { channels, deviceCategories, faqs, plans } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { listChannels, listDeviceCategories, listFaqs, listPlans } from './contract.ts'
import { channelCategories, connectionLabel, deviceIcons, planName, savingPercent } from './rules.ts'

const lists = [listPlans, listChannels, listDeviceCategories, listFaqs]

describe('the public lists', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await buildApp()
    await seedSample(app.db)
  })
  afterAll(() => app.close())

  test.each(lists.flatMap(({ path }) => ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method, path }))))(
    'reject $method $path with 405 and an Allow header',
    async ({ method, path }) => {
      const response = await app
        .client()
        .request(path, { method, headers: { 'content-type': 'application/json' }, body: '{}' })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, HEAD')
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' })
    },
  )

  test('never show a hidden plan, not even to an administrator', async () => {
    const hidden = await createPlan(app.db, { name: 'Staff: 9 Connections', connections: 9, hidden: true })
    const { client } = await app.signInAdmin()
    const shown = [...(await app.client().call(listPlans, {})), ...(await client.call(listPlans, {}))]
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.map(({ id }) => id)).not.toContain(hidden.id)
  })

  test('send only the fields of the contract', async () => {
    const response = await app.client().request('/api/plans')
    const [first] = (await response.json()) as object[]
    expect(Object.keys(first!).toSorted()).toEqual([
      'billing',
      'connections',
      'features',
      'id',
      'months',
      'name',
      'popular',
      'price',
      'tier',
    ])
  })

  test.each(lists.map(({ path }) => ({ path })))(
    '$path needs no session and may be cached for 60 seconds',
    async ({ path }) => {
      const response = await app.client().request(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=60')
      expect((await response.json()) as unknown[]).not.toHaveLength(0)
    },
  )

  test('sort plans by group, then by connections, regardless of when they were added', async () => {
    await createPlan(app.db, { name: 'Beast: 3 Months, 7 Connections', tier: 2, connections: 7 })
    await createPlan(app.db, { name: 'Beast: 3 Months, 6 Connections', tier: 2, connections: 6 })
    const order = (await app.client().call(listPlans, {})).map(({ tier, connections }) => tier * 100 + connections)
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).toEqual(expect.arrayContaining([101, 206, 207, 401]))
  })

  test('sort channels by category, then by name without regard to case', async () => {
    await app.db
      .insert(channels)
      .values({ name: 'boston Ice 2', category: 'nhl_teams', logo: markLogo('Boston Ice 2') })
    const lineup = await app.client().call(listChannels, {})
    expect([...new Set(lineup.map(({ category }) => category))]).toEqual(channelCategories.map(({ id }) => id))
    const hockey = lineup.filter(({ category }) => category === 'nhl_teams').map(({ name }) => name)
    expect(hockey.slice(0, 4)).toEqual(['Anaheim Ice', 'Boston Ice', 'boston Ice 2', 'Buffalo Ice'])
  })

  test('sort questions and devices by their position, regardless of when they were added', async () => {
    await app.db.insert(faqs).values({ question: 'What is new?', answer: 'This.', order: 0 })
    await app.db.insert(deviceCategories).values({ name: 'Projectors', icon: 'tv', devices: ['Any'], position: -1 })
    const questions = await app.client().call(listFaqs, {})
    expect(questions.map(({ order }) => order)).toEqual(questions.map((_, index) => index))
    expect((await app.client().call(listDeviceCategories, {})).slice(0, 2).map(({ name }) => name)).toEqual([
      'Projectors',
      'Amazon Fire TV',
    ])
  })

  test('show a changed price immediately', async () => {
    const [plan] = await app.client().call(listPlans, {})
    await app.db.update(plans).set({ price: 1_234 }).where(eq(plans.id, plan!.id))
    const changed = await app.client().call(listPlans, {})
    expect(changed.find(({ id }) => id === plan!.id)?.price).toBe(1_234)
  })
})

describe('the rules of the catalog', () => {
  const plan = (tier: number, months: number, connections: number, price: number) => ({
    id: 1,
    name: '',
    tier,
    months,
    connections,
    price,
    billing: '',
    features: [],
    popular: false,
  })

  test('show no saving when prices cannot be compared', () => {
    expect(savingPercent([], 2)).toBe(0)
    expect(savingPercent([plan(1, 1, 1, 0), plan(2, 3, 1, 0)], 2)).toBe(0)
    expect(savingPercent([plan(1, 1, 2, 1_000), plan(2, 3, 1, 1_000)], 2)).toBe(0)
    expect(savingPercent([plan(1, 1, 1, 1_000), plan(2, 3, 1, 4_000)], 2)).toBe(0)
  })

  test('round a saving down, so that pages never overstate it', () => {
    expect(savingPercent([plan(1, 1, 1, 1_499), plan(2, 3, 1, 3_899)], 2)).toBe(13)
  })

  test('name plans by group and connections, with the prefixes of the specification', () => {
    expect([planName(1, 1), planName(1, 2), planName(2, 1), planName(3, 4), planName(4, 5)]).toEqual([
      'Little Beast: 1 Connection',
      'Little Beast: 2 Connections',
      'Beast: 3 Months, 1 Connection',
      'Big Beast: 6 Months, 4 Connections',
      'The Beast: 12 Months, 5 Connections',
    ])
    expect(connectionLabel(1)).toBe('1 Connection')
  })

  test('distinguish a generated logo from an image', () => {
    expect(markName('/pictures/mark.png')).toBeNull()
    expect(markName(markLogo('Harbor Drama'))).toBe('Harbor Drama')
  })

  test('list every device icon once', () => {
    expect(new Set(deviceIcons).size).toBe(deviceIcons.length)
  })
})
