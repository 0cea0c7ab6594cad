import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeOutdatedChanges } from '#features/billing/server/service/orders/outdated-change.ts'
import { decideInvoice } from '#features/billing/server/service/payments/decide-invoice.ts'
import { migrate } from '#server/db/migrate.ts'
import { activations, invoices, segments, users } from '#server/db/tables.ts'
import type { SessionUser } from '#server/session/session.ts'
import { checkInvariants } from '../../src/all-invariants.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { loadRelease, migrations } from '../harness/old-release.ts'

type Shown = {
  id: number
  plan_id: number | null
  status: string
  starts: string | null
  ends: string | null
  credit: number
  connections: number | null
}
const shownUsers = sql<Shown>`SELECT id, plan_id, subscription_status AS status, subscription_start_date AS starts, subscription_end_date AS ends, account_credit AS credit,
  iptv_max_connections AS connections FROM users ORDER BY id`

// The rows were created by the services of the release with migration 0033, with a clock that was advanced step by step. The name of each customer describes
// what was done. The conversion itself uses the real time of the database.
let now: string
let names: Record<string, string>
let database: TestDatabase
let before: Shown[]
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  const client = await database.pool.connect()
  const release = await loadRelease<{ now: string; names: Record<string, string> }>('0033', client)
  now = release.loadedAt
  names = release.names
  client.release()
  before = (await database.db.execute<Shown>(shownUsers)).rows
  await migrate(database.pool, migrations)
})
afterAll(async () => {
  await database?.close()
})

const idOf = (name: string) => Number(Object.entries(names).find(([, known]) => known === name)![0])
const segmentsOf = (name: string) =>
  database.db
    .select()
    .from(segments)
    .where(and(eq(segments.userId, idOf(name)), isNull(segments.replacedBy)))
    .orderBy(segments.startsAt, segments.id)
const leftOf = async (name: string) =>
  (await segmentsOf(name)).filter(({ withdrawn, endsAt }) => !withdrawn && endsAt > now)
const paidSum = (rows: { paidCents: number }[]) => rows.reduce((cents, { paidCents }) => cents + paidCents, 0)

describe('a database of the release before segments', () => {
  test('is converted without violating an invariant', async () => {
    const { results } = await checkInvariants(database.db)
    expect(results.filter(({ broken }) => broken.length > 0)).toEqual([])
  })

  test('shows every customer the same plan, dates, connections and credit as before', async () => {
    expect(before.length).toBeGreaterThan(40)
    expect((await database.db.execute<Shown>(shownUsers)).rows).toEqual(before)
  })

  test('has time without gaps for every active customer, from now to the end date and on the plan that the customer sees', async () => {
    const active = before.filter(({ status }) => status === 'active')
    expect(active.length).toBeGreaterThan(25)
    for (const user of active) {
      const left = await leftOf(names[user.id] ?? '')
      const ahead = new Date(user.starts!).toISOString() > now
      expect(left[0]!.startsAt <= (ahead ? new Date(user.starts!).toISOString() : now), names[user.id]).toBe(true)
      for (const [index, each] of left.slice(1).entries())
        expect(each.startsAt, names[user.id]).toBe(left[index]!.endsAt)
      expect(left.at(-1)!.endsAt, names[user.id]).toBe(new Date(user.ends!).toISOString())
      expect(new Set(left.map(({ planId }) => planId)), names[user.id]).toEqual(new Set([user.plan_id]))
    }
  })

  test('has no remaining time for inactive customers', async () => {
    const others = before.filter(({ status, id }) => status !== 'active' && names[id])
    for (const { id } of others) expect(await leftOf(names[id]!), names[id]).toEqual([])
  })

  test('records credit given without a payment, and values time at the cents actually paid', async () => {
    const creditRows = await database.db
      .select({ userId: activations.userId, cents: sql<number>`sum(legacy_credit_cents)::int` })
      .from(activations)
      .groupBy(activations.userId)
    const legacy = new Map(
      creditRows.filter(({ cents }) => cents > 0).map(({ userId, cents }) => [names[userId], cents]),
    )
    expect([...legacy.keys()].sort()).toEqual(['changed_back_and_forth', 'granted_then_changed'])
    expect(paidSum(await segmentsOf('another_plan_while_one_runs'))).toBe(11_999 + 4_099)
    expect(paidSum(await segmentsOf('granted'))).toBe(0)
    expect(paidSum(await segmentsOf('renewed_early'))).toBe(2 * 11_999)
    expect(paidSum(await segmentsOf('refunded'))).toBe(0)
    expect(paidSum(await segmentsOf('one_purchase'))).toBe(3_999)
    expect(paidSum(await segmentsOf('paid_with_credit'))).toBe(1_499 + 3_999)
  })
})

describe('after the conversion', () => {
  const paidInvoices = async (name: string) =>
    database.db
      .select()
      .from(invoices)
      .where(and(eq(invoices.userId, idOf(name)), inArray(invoices.status, ['paid'])))
      .orderBy(invoices.id)
  const cancel = async (id: number) => {
    const [admin] = await database.db.select().from(users).where(eq(users.role, 'admin'))
    return decideInvoice(
      database.db,
      id,
      { status: 'cancelled' },
      { admin: admin as unknown as SessionUser, requestId: 'test', selfApproval: true },
    )
  }

  test('reversing an earlier payment for another plan restores the replaced time', async () => {
    const [, month] = await paidInvoices('another_plan_while_one_runs')
    await cancel(month!.id)
    const left = await leftOf('another_plan_while_one_runs')
    expect([left.length, left[0]!.connections, paidSum(await segmentsOf('another_plan_while_one_runs'))]).toEqual([
      1, 1, 11_999,
    ])
    await expectInvariants(database.db)
  })

  test('reversing a payment before an earlier plan change is refused, with the invoice to reverse first', async () => {
    const [payment, change] = await paidInvoices('up_same_length')
    await expect(cancel(payment!.id)).rejects.toMatchObject({
      code: 'later_change',
      message: expect.stringContaining(change!.invoiceNumber),
    })
    await cancel(change!.id)
    await cancel(payment!.id)
    expect(await segmentsOf('up_same_length')).toEqual([])
    await expectInvariants(database.db)
  })

  test('open plan changes priced by the old rules are outdated: unpaid ones are closed, submitted ones stay open', async () => {
    expect(await closeOutdatedChanges(database.db)).toBe(1)
    const open = await database.db
      .select()
      .from(invoices)
      .where(and(eq(invoices.kind, 'plan_change'), inArray(invoices.status, ['pending'])))
    expect(open.map(({ userId }) => names[userId])).toEqual(['submitted_change'])
    const [admin] = await database.db.select().from(users).where(eq(users.role, 'admin'))
    const act = { admin: admin as unknown as SessionUser, requestId: 'test', selfApproval: true }
    await expect(decideInvoice(database.db, open[0]!.id, { status: 'paid' }, act)).rejects.toMatchObject({
      code: 'change_outdated',
    })
  })
})
