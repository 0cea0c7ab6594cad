import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedSample } from '#server/db/seed.ts'
import { seedBig } from '../bench/seed-big.ts'
import { buildApp, type SignedIn, type TestApp } from './app.ts'

// Big enough that reading a whole table is never the cheapest way to a page of it.
const size = { users: 30_000, invoices: 60_000, reports: 20_000, trials: 20_000 }
const big = 10_000

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Plan Rows': number
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}
type Statement = { text: string; values: unknown[] }

let app: TestApp
let admin: SignedIn
let heard: Statement[] | undefined
beforeAll(async () => {
  app = await buildApp()
  await seedSample(app.db)
  admin = await app.signInAdmin()
  const client = await app.database.pool.connect()
  await seedBig(client, size)
  client.release(true)
  const { pool } = app.database
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((first: string | { text: string; values?: unknown[] }, values?: unknown[], ...rest: unknown[]) => {
    const said = typeof first === 'string' ? { text: first, values: values ?? [] } : { text: first.text, values: first.values ?? values ?? [] }
    heard?.push(said)
    return query(first, values, ...rest)
  }) as typeof pool.query
}, 180_000)
afterAll(() => app.close())

/** Counting what a common search finds: nobody waits for it. */
const isAside = (text: string) => text.startsWith('select count(*)::int as total from (') && !/ limit \$\d+\) counted$/.test(text)

/** Every row that a request made the database look at, table by table: what was read and what was thrown away. */
async function readFor(path: string): Promise<{ status: number; read: Record<string, number>; scanned: string[] }> {
  heard = []
  const { status } = await admin.client.request(path)
  const statements = heard.filter(({ text }) => /^\s*select/i.test(text) && !isAside(text))
  heard = undefined
  const read: Record<string, number> = {}
  const scanned: string[] = []
  const walk = (node: Node) => {
    const table = node['Relation Name']
    if (table) {
      const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      read[table] = (read[table] ?? 0) + rows
      if (node['Node Type'] === 'Seq Scan' && rows >= big) scanned.push(table)
    }
    node.Plans?.forEach(walk)
  }
  for (const { text, values } of statements) {
    const { rows } = await app.database.pool.query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (analyze, format json) ${text}`, values)
    walk(rows[0]!['QUERY PLAN'][0]!.Plan)
  }
  return { status, read, scanned }
}

const lists = {
  users: { sorts: ['createdAt', 'username', 'email', 'role'], statuses: ['active', 'pending', 'expired', 'cancelled', 'none'] },
  invoices: { sorts: ['createdAt', 'amount', 'status', 'invoiceNumber'], statuses: ['draft', 'pending', 'paid', 'cancelled', 'expired'] },
  reports: { sorts: ['createdAt', 'status'], statuses: ['pending', 'reviewing', 'resolved', 'dismissed'] },
  'trial-requests': { sorts: ['requestDate', 'status'], statuses: ['pending', 'denied'] },
}
const asked = Object.entries(lists).flatMap(([list, { sorts, statuses }]) => [
  `${list}?pageSize=10`,
  ...sorts.flatMap((sort) => ['asc', 'desc'].map((order) => `${list}?pageSize=10&sort=${sort}&order=${order}`)),
  ...statuses.map((status) => `${list}?pageSize=10&status=${status}`),
  ...['anna.smith221', 'nobody-at-all', 'gmail', 'an', 'a', 'zz', 'z', '~%23', '%25', '_'].map((search) => `${list}?pageSize=10&search=${search}`),
  `${list}?pageSize=10&page=1000000`,
])

describe('a long list', () => {
  test.each(asked)('%s reads some hundred rows, never a whole table', async (query) => {
    const { status, read, scanned } = await readFor(`/api/admin/${query}`)
    expect(status).toBe(200)
    expect(scanned).toEqual([])
    for (const [table, rows] of Object.entries(read)) expect(rows, `rows of ${table}`).toBeLessThan(big)
  })

  test.each(Object.keys(lists))('of %s has its last page as near as its first', async (list) => {
    const response = await admin.client.request(`/api/admin/${list}?pageSize=10`)
    const last = Math.ceil(Number(response.headers.get('x-total-count')) / 10)
    const { read } = await readFor(`/api/admin/${list}?pageSize=10&page=${last}`)
    for (const [table, rows] of Object.entries(read)) expect(rows, `rows of ${table}`).toBeLessThan(1_000)
  })

  test('is counted without reading it, also while rows come, change and go', async () => {
    const totals = async () => {
      const { rows } = await app.db.execute<{ list: string; status: string; rows: number }>(
        sql`select list, status, sum(rows)::int as rows from row_counts group by 1, 2 having sum(rows) <> 0 order by 1, 2`,
      )
      return rows
    }
    const truth = async () => {
      const { rows } = await app.db.execute<{ list: string; status: string; rows: number }>(sql`
        select 'invoices' as list, status, count(*)::int as rows from invoices group by 2 union all
        select 'reports', status, count(*)::int from reports group by 2 union all
        select 'trial_requests', status, count(*)::int from trial_requests group by 2 union all
        select 'users', subscription_status, count(*)::int from users group by 2 order by 1, 2`)
      return rows
    }
    expect(await totals()).toEqual(await truth())
    await app.db.execute(sql`update invoices set status = 'cancelled', paid_at = null where id % 7 = 0`)
    await app.db.execute(sql`update users set subscription_status = 'expired' where id % 11 = 0`)
    await app.db.execute(sql`delete from trial_requests where id % 5 = 0`)
    await app.db.execute(sql`update reports set status = 'resolved'`)
    expect(await totals()).toEqual(await truth())
  })
})
