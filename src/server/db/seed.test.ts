import { join } from 'node:path'
import { count } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { channelCategory } from '#features/catalog/contract.ts'
import { connectionLabel, deviceIcons, type Tier, tiers } from '#features/catalog/rules.ts'
import { markName } from '#kit/mark-logo.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { clientConfig, connect } from './connect.ts'
import { migrate } from './migrate.ts'
import { sampleChannels } from './sample/channels.ts'
import { sampleDeviceCategories } from './sample/device-categories.ts'
import { sampleFaqs } from './sample/faqs.ts'
import { samplePlans } from './sample/plans.ts'
import { seedSample } from './seed.ts'
import { channels, deviceCategories, faqs, plans } from './tables.ts'

describe('loading the sample', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase({ empty: true })
    await migrate(database.pool, join(import.meta.dirname, '../../../migrations'))
  })
  afterEach(() => database.close())

  const counts = async () => {
    const of = async (table: typeof plans | typeof channels | typeof deviceCategories | typeof faqs) =>
      (await database.db.select({ rows: count() }).from(table))[0]!.rows
    return {
      plans: await of(plans),
      channels: await of(channels),
      devices: await of(deviceCategories),
      faqs: await of(faqs),
    }
  }
  const whole = { plans: 20, channels: sampleChannels.length, devices: 8, faqs: sampleFaqs.length }

  test('does nothing in a catalog with at least one plan, hidden or not', async () => {
    await database.db.insert(plans).values({ ...samplePlans[0]!, name: 'My own plan', hidden: true })
    expect(await seedSample(database.db)).toBe(false)
    expect(await counts()).toEqual({ plans: 1, channels: 0, devices: 0, faqs: 0 })
  })

  test('loads everything or nothing', async () => {
    // The last table to be filled already contains one of the sample questions.
    await database.db.insert(faqs).values({ ...sampleFaqs.at(-1)!, order: 1 })
    await expect(seedSample(database.db)).rejects.toThrow()
    expect(await counts()).toEqual({ plans: 0, channels: 0, devices: 0, faqs: 1 })
  })

  test('loads only once', async () => {
    expect(await seedSample(database.db)).toBe(true)
    expect(await seedSample(database.db)).toBe(false)
    expect(await counts()).toEqual(whole)
  })

  test('notifies every running process', async () => {
    const received: string[] = []
    const listener = new pg.Client(clientConfig(database.address))
    listener.on('notification', ({ payload }) => received.push(payload ?? ''))
    await listener.connect()
    await listener.query('listen sauce')
    await seedSample(database.db)
    await expect.poll(() => received).toEqual([expect.stringContaining('catalogue')])
    await listener.end()
  })

  test('loads once when several processes start at the same time', async () => {
    const others = [1, 2, 3].map(() => connect(database.address, { log: silentLog, max: 2 }))
    const loaded = await Promise.all([database, ...others].flatMap(({ db }) => [seedSample(db), seedSample(db)]))
    await Promise.all(others.map((other) => other.close()))
    expect(loaded.filter(Boolean)).toHaveLength(1)
    expect(await counts()).toEqual(whole)
  })
})

describe('the sample plans', () => {
  const price = (tier: Tier, connections: number) =>
    samplePlans.find((plan) => plan.tier === tier && plan.connections === connections)!.price

  test('are four groups with one plan for each of one to five connections', () => {
    expect(samplePlans).toHaveLength(20)
    for (const { tier, months, billing } of tiers) {
      const group = samplePlans.filter((plan) => plan.tier === tier)
      expect(group.map(({ connections }) => connections)).toEqual([1, 2, 3, 4, 5])
      expect(group.every((plan) => plan.months === months && plan.billing === billing)).toBe(true)
    }
  })

  test('have group and connections in their names, as the specification requires', () => {
    const prefixes = ['Little Beast', 'Beast: 3', 'Big Beast', 'The Beast']
    for (const { name, tier, connections } of samplePlans) {
      expect(prefixes.findIndex((prefix) => name.startsWith(prefix))).toBe(tier - 1)
      expect(name.match(/\d+ Connections?$/)?.[0]).toBe(connectionLabel(connections))
    }
    expect(new Set(samplePlans.map(({ name }) => name)).size).toBe(20)
  })

  test('cost less per month the longer they run, for any number of connections', () => {
    for (const connections of [1, 2, 3, 4, 5]) {
      const monthly = tiers.map(({ tier, months }) => price(tier, connections) / months)
      expect(monthly).toEqual(monthly.toSorted((a, b) => b - a))
      expect(new Set(monthly).size).toBe(4)
    }
  })

  test('cost less for each further connection than for the previous one', () => {
    for (const { tier } of tiers) {
      const steps = [1, 2, 3, 4, 5].map(
        (connections) => price(tier, connections) - (connections > 1 ? price(tier, connections - 1) : 0),
      )
      expect(steps.every((step) => step > 0)).toBe(true)
      expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => b - a))
    }
  })

  test('have one popular plan in each group', () => {
    expect(samplePlans.filter(({ popular }) => popular).map(({ tier }) => tier)).toEqual([1, 2, 3, 4])
  })

  test('list the same features in the same order, with one screen per connection', () => {
    const withoutScreens = samplePlans.map(({ features }) => features.filter((feature) => !feature.includes('screen')))
    expect(withoutScreens[0]!.length).toBeGreaterThanOrEqual(5)
    for (const features of withoutScreens) expect(features).toEqual(withoutScreens[0])
    expect(samplePlans.filter(({ tier }) => tier === 2).map(({ features }) => features[1])).toEqual([
      '1 screen at a time',
      ...[2, 3, 4, 5].map((screens) => `${screens} screens at once`),
    ])
  })
})

describe('the sample channels', () => {
  const inCategory = (category: string) => sampleChannels.filter((channel) => channel.category === category)

  test('are at least 171 in ten categories, none of them empty', () => {
    expect(sampleChannels.length).toBeGreaterThanOrEqual(171)
    expect(new Set(sampleChannels.map(({ category }) => category))).toEqual(new Set(channelCategory.options))
    for (const category of channelCategory.options)
      expect(inCategory(category).length, category).toBeGreaterThanOrEqual(10)
  })

  test('have unique names across all categories', () => {
    const names = sampleChannels.map(({ name }) => name.toLowerCase())
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    expect(names.every((name) => name.trim() === name && name.length > 1 && !name.includes('*'))).toBe(true)
  })

  test('have a team channel for each club of the four leagues', () => {
    expect(['nba_teams', 'nfl_teams', 'nhl_teams', 'soccer'].map((category) => inCategory(category).length)).toEqual([
      30, 32, 32, 20,
    ])
  })

  test('have logos drawn from their names, and a dozen of them are featured', () => {
    for (const { name, logo } of sampleChannels) expect(markName(logo)).toBe(name)
    expect(sampleChannels.filter(({ featured }) => featured)).toHaveLength(12)
  })
})

describe('the other sample content', () => {
  test('has eight device categories, each with a known icon and at least three devices', () => {
    expect(sampleDeviceCategories.map(({ icon }) => icon).toSorted()).toEqual([...deviceIcons].toSorted())
    expect(sampleDeviceCategories.every(({ devices }) => devices.length >= 3)).toBe(true)
  })

  test('answers the questions that people ask before they pay', () => {
    expect(new Set(sampleFaqs.map(({ question }) => question)).size).toBe(sampleFaqs.length)
    expect(sampleFaqs.length).toBeGreaterThanOrEqual(14)
    for (const { question, answer } of sampleFaqs) {
      expect(question).toMatch(/\?$/)
      expect(answer).toMatch(/^[A-Z].{60,}\.$/)
    }
    const all = sampleFaqs.map(({ answer }) => answer).join(' ')
    for (const fact of [
      'Cash App, Venmo and credit card',
      'up to 24 hours',
      'within 1 hour',
      '15 minutes',
      '7-day',
      'last 3 days',
      '24-48 hours',
      '15%',
    ])
      expect(all).toContain(fact)
  })
})
