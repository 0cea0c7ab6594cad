import { desc, eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#features/accounts/contract.ts'
import { clientConfig, type Db } from '#server/db/connect.ts'
import { auditLog, settings as table } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { getPaymentMethods, getSite } from './contract.ts'
import { defaults, withDefaults } from './rules.ts'
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

/** Writes past the service, as an older release or a hand would have. */
async function store(key: string, value: unknown): Promise<void> {
  await db.insert(table).values({ key, value }).onConflictDoUpdate({ target: table.key, set: { value } })
  settings.forget()
}
beforeEach(async () => {
  await db.delete(table).where(sql`true`)
  settings.forget()
})

describe('reading settings', () => {
  afterEach(() => void vi.useRealTimers())

  test('refuses a stored value that does not fit, instead of showing somebody else as the payee', async () => {
    await store('payments', { cashtag: 7 })
    await expect(settings.read(db, 'payments')).rejects.toThrow(/payments needs attention[\s\S]*cashtag/)
  })

  test('refuses a stored link whose scheme could run a script', async () => {
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

  test('gives the defaults while nothing is stored', async () => {
    expect(await settings.read(db, 'site')).toEqual(defaults.site)
    expect(await settings.read(db, 'payments')).toEqual(defaults.payments)
    expect([await settings.read(db, 'invoices'), await settings.read(db, 'referrals')]).toEqual([
      { validDays: 7, reminderHours: 24 },
      { percent: 15 },
    ])
  })

  test('gives a field its default when the stored value is older than the field', async () => {
    await store('site', { brand: { name: 'Kiwi TV' }, claims: { countries: '12' } })
    const site = await settings.read(db, 'site')
    expect(site.brand).toEqual({ name: 'Kiwi TV', mascot: defaults.site.brand.mascot })
    expect(site.claims).toEqual({ ...defaults.site.claims, countries: '12' })
    expect(site.contact).toEqual(defaults.site.contact)
  })

  test('drops a stored field that no longer exists', async () => {
    await store('invoices', { validDays: 3, gone: true })
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 3, reminderHours: 24 })
  })

  test('asks the database once until it is told to forget', async () => {
    await store('invoices', { validDays: 3 })
    await Promise.all([settings.read(db, 'invoices'), settings.read(db, 'invoices')])
    await db
      .update(table)
      .set({ value: { validDays: 4 } })
      .where(eq(table.key, 'invoices'))
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 3, reminderHours: 24 })
    settings.forget()
    expect(await settings.read(db, 'invoices')).toEqual({ validDays: 4, reminderHours: 24 })
  })

  test('asks again after a minute, should the word that it changed have been lost', async () => {
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
  test('refuses a value that does not fit and leaves everything as it was', async () => {
    const bad = { ...defaults.site, apps: { ...defaults.site.apps, web: 'javascript:alert(1)' } }
    await expect(db.transaction((tx) => settings.write(tx, 'site', bad, admin.id))).rejects.toThrow(/https:/)
    expect(await db.select().from(table)).toEqual([])
  })

  test('undoes the write with its transaction', async () => {
    const undone = db.transaction(async (tx) => {
      await settings.write(tx, 'referrals', { percent: 50 }, admin.id)
      expect(await settings.read(tx, 'referrals')).toEqual({ percent: 50 })
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await settings.read(db, 'referrals')).toEqual({ percent: 15 })
  })

  test('replaces the value, names who did it and notes only what changed', async () => {
    await db.transaction((tx) => settings.write(tx, 'payments', { ...defaults.payments, cashtag: '$First' }, admin.id))
    await db.transaction((tx) =>
      settings.write(tx, 'payments', { ...defaults.payments, cashtag: '$Second' }, admin.id, 'request-2'),
    )
    settings.forget()
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

describe('telling other processes', () => {
  let listener: pg.Client
  const heard: string[] = []
  beforeEach(async () => {
    heard.length = 0
    listener = new pg.Client(clientConfig(app.database.address))
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await listener.connect()
    await listener.query('listen sauce')
  })
  afterEach(() => listener.end())

  test('says that the catalogue changed once a setting is committed, and nothing when it is not', async () => {
    await db
      .transaction(async (tx) => {
        await settings.write(tx, 'invoices', { validDays: 1, reminderHours: 24 }, admin.id)
        throw new Error('undone')
      })
      .catch(() => undefined)
    await db.transaction((tx) => settings.write(tx, 'invoices', { validDays: 2, reminderHours: 24 }, admin.id))
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    // Messages arrive in the order of their commits: one of the undone write would stand before it.
    expect(heard).toEqual([expect.stringContaining('catalogue')])
  })
})

describe('what pages are told', () => {
  let member: SignedIn
  beforeAll(async () => {
    member = await app.signIn()
  })

  test('keeps payment handles from visitors', async () => {
    const response = await app.client().request('/api/payment-methods')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'not_signed_in' })
    expect(await (await app.client().request('/api/site')).text()).not.toMatch(/SauceTVDemo|saucetv-demo/)
  })

  test('refuses writes', async () => {
    expect((await member.client.post('/api/site', {})).status).toBe(405)
    expect((await member.client.post('/api/payment-methods', {})).status).toBe(405)
  })

  test('shows everybody the site, to be kept for 60 seconds', async () => {
    const response = await app.client().request('/api/site')
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(await response.json()).toEqual(defaults.site)
    expect(await app.client().call(getSite, {})).toEqual(defaults.site)
  })

  test('shows customers where to pay, never to be kept', async () => {
    const response = await member.client.request('/api/payment-methods')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await member.client.call(getPaymentMethods, {})).toEqual(defaults.payments)
  })
})

describe('merging with the defaults', () => {
  test('takes lists and plain values whole, null included, and never mixes kinds', () => {
    expect(withDefaults({ a: [1, 2], b: { c: 1 } }, { a: [3] })).toEqual({ a: [3], b: { c: 1 } })
    expect(withDefaults({ b: { c: 1 } }, { b: null })).toEqual({ b: null })
    expect(withDefaults({ b: { c: 1 } }, { b: [1] })).toEqual({ b: [1] })
    expect(withDefaults({ b: { c: 1 } }, undefined)).toEqual({ b: { c: 1 } })
  })

  test('changes neither side', () => {
    const base = { a: { b: 1 } }
    const stored = { a: { c: 2 } }
    expect(withDefaults(base, stored)).toEqual({ a: { b: 1, c: 2 } })
    expect([base, stored]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }])
  })
})
