import { desc, eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#features/accounts/contract.ts'
import { clientConfig, type Db } from '#server/db/connect.ts'
import { auditLog, settings as table } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { getPaymentMethods, getSite } from './contract.ts'
import { defaults, iconsOf, paymentMarks, withDefaults } from './rules.ts'
import * as settings from './server/service.ts'

let app: TestApp
let db: Db
let admin: User
beforeAll(async () => {
  app = await buildApp()
  db = app.db
  admin = (await app.signInAdmin()).user
})
afterAll(() => app.close())

/** Writes to the table directly, as an older release or an operator might have done. */
async function store(key: string, value: unknown): Promise<void> {
  await db.insert(table).values({ key, value }).onConflictDoUpdate({ target: table.key, set: { value } })
  settings.clearCache()
}
beforeEach(async () => {
  await db.delete(table).where(sql`true`)
  settings.clearCache()
})

describe('reading settings', () => {
  afterEach(() => void vi.useRealTimers())

  test('throws for an invalid stored value instead of showing the wrong payee', async () => {
    await store('payments', { cashtag: 7 })
    await expect(settings.read(db, 'payments')).rejects.toThrow(/payments needs attention[\s\S]*cashtag/)
  })

  test('throws for a stored link with a scheme that could run a script', async () => {
    await store('site', { playerUrl: 'javascript:alert(1)' })
    await expect(settings.read(db, 'site')).rejects.toThrow(/playerUrl/)
  })

  test('reads again after a failure', async () => {
    await store('referrals', { percent: 101 })
    await expect(settings.read(db, 'referrals')).rejects.toThrow(/percent/)
    await db
      .update(table)
      .set({ value: { percent: 20 } })
      .where(eq(table.key, 'referrals'))
    expect(await settings.read(db, 'referrals')).toEqual({ percent: 20 })
  })

  test('returns the defaults while nothing is stored', async () => {
    expect(await settings.read(db, 'site')).toEqual(defaults.site)
    expect(await settings.read(db, 'payments')).toEqual(defaults.payments)
    expect([await settings.read(db, 'invoices'), await settings.read(db, 'referrals')]).toEqual([
      { validDays: 7, reminderHours: 24 },
      { percent: 15 },
    ])
  })

  test('returns the default of a field that is missing in the stored value', async () => {
    await store('site', { brand: { name: 'Kiwi TV' }, claims: { countries: '12' } })
    const site = await settings.read(db, 'site')
    expect(site.brand).toEqual({ ...defaults.site.brand, name: 'Kiwi TV' })
    expect(site.claims).toEqual({ ...defaults.site.claims, countries: '12' })
    expect(site.contact).toEqual(defaults.site.contact)
  })

  test('removes a stored field that no longer exists', async () => {
    await store('invoices', { validDays: 3, gone: true })
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 3, reminderHours: 24 })
  })

  test('queries the database once until the cache is cleared', async () => {
    await store('invoices', { validDays: 3 })
    await Promise.all([settings.read(db, 'invoices'), settings.read(db, 'invoices')])
    await db
      .update(table)
      .set({ value: { validDays: 4 } })
      .where(eq(table.key, 'invoices'))
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 3, reminderHours: 24 })
    settings.clearCache()
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 4, reminderHours: 24 })
  })

  test('queries the database again after a minute, in case a change notification is lost', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    await store('invoices', { validDays: 3 })
    await settings.read(db, 'invoices')
    await db
      .update(table)
      .set({ value: { validDays: 4 } })
      .where(eq(table.key, 'invoices'))
    vi.advanceTimersByTime(59_000)
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 3, reminderHours: 24 })
    vi.advanceTimersByTime(2_000)
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 4, reminderHours: 24 })
  })
})

describe('writing settings', () => {
  test('rejects an invalid value and changes nothing', async () => {
    const bad = { ...defaults.site, apps: { ...defaults.site.apps, web: 'javascript:alert(1)' } }
    await expect(db.transaction((tx) => settings.writeSetting(tx, 'site', bad, admin.id))).rejects.toThrow(/https:/)
    expect(await db.select().from(table)).toEqual([])
  })

  test('rolls back a write with its transaction', async () => {
    const undone = db.transaction(async (tx) => {
      await settings.writeSetting(tx, 'referrals', { percent: 50 }, admin.id)
      expect(await settings.read(tx, 'referrals')).toEqual({ percent: 50 })
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await settings.read(db, 'referrals')).toEqual({ percent: 15 })
  })

  test('replaces the value and writes an audit entry with the administrator and the changed fields', async () => {
    await db.transaction((tx) =>
      settings.writeSetting(tx, 'payments', { ...defaults.payments, cashtag: '$First' }, admin.id),
    )
    await db.transaction((tx) =>
      settings.writeSetting(tx, 'payments', { ...defaults.payments, cashtag: '$Second' }, admin.id, 'request-2'),
    )
    settings.clearCache()
    expect((await settings.read(db, 'payments')).cashtag).toBe('$Second')
    expect(await db.select().from(table)).toMatchObject([{ key: 'payments', updatedBy: admin.id }])
    const [entry] = await db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(entry).toMatchObject({
      actorId: admin.id,
      action: 'settings.update',
      targetId: 'payments',
      before: { cashtag: '$First' },
      after: { cashtag: '$Second' },
      requestId: 'request-2',
    })
  })
})

describe('notifying other processes', () => {
  let listener: pg.Client
  const received: string[] = []
  beforeEach(async () => {
    received.length = 0
    listener = new pg.Client(clientConfig(app.database.address))
    listener.on('notification', ({ payload }) => received.push(payload ?? ''))
    await listener.connect()
    await listener.query('listen sauce')
  })
  afterEach(() => listener.end())

  test('sends a notification when a setting is committed, and none after a rollback', async () => {
    await db
      .transaction(async (tx) => {
        await settings.writeSetting(tx, 'invoices', { validDays: 1, reminderHours: 24 }, admin.id)
        throw new Error('undone')
      })
      .catch(() => undefined)
    await db.transaction((tx) => settings.writeSetting(tx, 'invoices', { validDays: 2, reminderHours: 24 }, admin.id))
    await expect.poll(() => received.length).toBeGreaterThan(0)
    // Notifications arrive in commit order, so one of the rolled back write would come first.
    expect(received).toEqual([expect.stringContaining('catalogue')])
  })
})

describe('the public settings', () => {
  let member: SignedIn
  beforeAll(async () => {
    member = await app.signIn()
  })

  test('do not show payment handles to visitors', async () => {
    const response = await app.client().request('/api/payment-methods')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'not_signed_in' })
    expect(await (await app.client().request('/api/site')).text()).not.toMatch(/SauceTVDemo|saucetv-demo/)
  })

  test('reject writes', async () => {
    expect((await member.client.post('/api/site', {})).status).toBe(405)
    expect((await member.client.post('/api/payment-methods', {})).status).toBe(405)
  })

  test('are public and may be cached for 60 seconds', async () => {
    const response = await app.client().request('/api/site')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    const site = {
      ...defaults.site,
      paymentMarks: paymentMarks(defaults.payments),
      icons: iconsOf(defaults.site.brand),
      watching: false,
      listings: false,
      announcements: [],
      isAnnouncing: false,
    }
    expect(await response.json()).toEqual(site)
    expect(await app.client().call(getSite, {})).toEqual(site)
  })

  test('show payment methods to customers without caching', async () => {
    const response = await member.client.request('/api/payment-methods')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await member.client.call(getPaymentMethods, {})).toEqual(defaults.payments)
  })
})

describe('merging with the defaults', () => {
  test('replaces lists and primitive values, null included', () => {
    expect(withDefaults({ a: [1, 2], b: { c: 1 } }, { a: [3] })).toEqual({ a: [3], b: { c: 1 } })
    expect(withDefaults({ b: { c: 1 } }, { b: null })).toEqual({ b: null })
    expect(withDefaults({ b: { c: 1 } }, { b: [1] })).toEqual({ b: [1] })
    expect(withDefaults({ b: { c: 1 } }, undefined)).toEqual({ b: { c: 1 } })
  })

  test('does not mutate its arguments', () => {
    const base = { a: { b: 1 } }
    const stored = { a: { c: 2 } }
    expect(withDefaults(base, stored)).toEqual({ a: { b: 1, c: 2 } })
    expect([base, stored]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }])
  })
})
