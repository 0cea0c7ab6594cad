import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUpCounts } from '#server/lists/list-count.ts'
import { buildApp, type SignedIn, type TestApp } from '../../harness/app.ts'
import { fewestRows, manyRows } from '../../harness/many-rows.ts'

/** A request that reads this many rows of a table counts as reading the whole table. */
const big = fewestRows

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
let recorded: Statement[] | undefined
beforeAll(async () => {
  app = await buildApp({ template: await manyRows() })
  admin = await app.signInAdmin()
  const { pool } = app.database
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((first: string | { text: string; values?: unknown[] }, values?: unknown[], ...rest: unknown[]) => {
    const statement =
      typeof first === 'string'
        ? { text: first, values: values ?? [] }
        : { text: first.text, values: first.values ?? values ?? [] }
    recorded?.push(statement)
    return query(first, values, ...rest)
  }) as typeof pool.query
}, 180_000)
afterAll(() => app.close())

/** Whether this is the background count of a common search's matches: no request waits for it. */
const isBackgroundCount = (text: string) =>
  text.startsWith('select count(*)::int as total from (') && !/ limit \$\d+\) counted$/.test(text)

/** Sends a request and returns how many rows of each table its statements read, including filtered rows, and which big tables they scanned. */
async function rowsReadBy(path: string): Promise<{ status: number; read: Record<string, number>; scanned: string[] }> {
  recorded = []
  const { status } = await admin.client.request(path)
  const statements = recorded.filter(({ text }) => /^\s*select/i.test(text) && !isBackgroundCount(text))
  recorded = undefined
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
    const { rows } = await app.database.pool.query<{ 'QUERY PLAN': { Plan: Node }[] }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    walk(rows[0]!['QUERY PLAN'][0]!.Plan)
  }
  return { status, read, scanned }
}

const lists = {
  users: {
    sorts: ['createdAt', 'username', 'email', 'role', 'subscriptionEndDate'],
    statuses: ['active', 'pending', 'expired', 'cancelled', 'none'],
  },
  invoices: {
    sorts: ['createdAt', 'amount', 'status', 'invoiceNumber'],
    statuses: ['draft', 'pending', 'paid', 'cancelled', 'expired'],
  },
  reports: { sorts: ['createdAt', 'status'], statuses: ['pending', 'reviewing', 'resolved', 'dismissed'] },
  'trial-requests': { sorts: ['requestDate', 'status'], statuses: ['pending', 'denied'] },
  tickets: { sorts: ['lastMessageAt', 'status'], statuses: ['open', 'waiting', 'solved'] },
}
const queries = Object.entries(lists).flatMap(([list, { sorts, statuses }]) => [
  `${list}?pageSize=10`,
  ...sorts.flatMap((sort) => ['asc', 'desc'].map((order) => `${list}?pageSize=10&sort=${sort}&order=${order}`)),
  ...statuses.map((status) => `${list}?pageSize=10&status=${status}`),
  ...['anna.smith221', 'nobody-at-all', 'gmail', 'an', 'a', 'zz', 'z', '~%23', '%25', '_'].map(
    (search) => `${list}?pageSize=10&search=${search}`,
  ),
  ...statuses.slice(0, 2).map((status) => `${list}?pageSize=10&status=${status}&search=gmail`),
  `${list}?pageSize=10&page=1000000`,
])
// Full names and line usernames of users; confirmation codes and payment notes of invoices.
queries.push(
  ...['Quinn Kim', 'line4711', 'quinn kim4', 'Quinn'].flatMap((search) =>
    ['users', 'invoices', 'reports'].map((list) => `${list}?pageSize=10&search=${search}`),
  ),
  ...[
    'c4711',
    'c12',
    'sauce',
    'ORD-01',
    'SAUCE: 4711',
    'SAUCE: 12',
    'status=paid&search=c12',
    'status=pending&search=c12',
  ].map((search) => `invoices?pageSize=10&${search.includes('=') ? '' : 'search='}${search}`),
)
queries.push(
  ...['assignee=0', 'assignee=1', 'assignee=0&status=open', 'assignee=0&sort=status', 'assignee=0&page=1500'].map(
    (query) => `tickets?pageSize=10&${query}`,
  ),
)
const searches = ['gmail', 'nobody-at-all', 'an', '~%23', '%2312']
queries.push(
  ...['', 'order=asc', 'action=payment.3', 'targetType=user', 'page=1500', 'action=payment.3&page=200'].map(
    (query) => `audit?pageSize=10&${query}`,
  ),
  ...['', 'sort=status', 'status=open', 'status=answered', 'page=1500', 'sort=status&page=1500'].map(
    (query) => `inquiries?pageSize=10&${query}`,
  ),
  ...['', 'order=asc', 'status=failed', 'status=sent', 'page=1500'].map((query) => `mails?pageSize=10&${query}`),
  ...[
    '',
    'order=asc',
    'status=tasks',
    'status=done',
    'status=queued',
    'status=sent',
    'page=1500',
    'status=done&page=1000',
    'status=tasks&page=300',
  ].map((query) => `lines?pageSize=10&${query}`),
  ...['ord', 'line777of', 'status=tasks&search=gmail'].map(
    (search) => `lines?pageSize=10&${search.includes('=') ? '' : 'search='}${search}`,
  ),
  ...['inquiries', 'mails', 'lines'].flatMap((list) =>
    searches.map((search) => `${list}?pageSize=10&search=${search}`),
  ),
  // Without terms that match many users with few audit entries: they make the search read the whole log.
  ...['nobody-at-all', '~%23', '%2312'].map((search) => `audit?pageSize=10&search=${search}`),
)

describe('a long list', () => {
  test.each(queries)('%s reads few rows and never scans a whole table', async (query) => {
    const { status, read, scanned } = await rowsReadBy(`/api/admin/${query}`)
    expect(status).toBe(200)
    expect(scanned).toEqual([])
    for (const [table, rows] of Object.entries(read)) expect(rows, `rows of ${table}`).toBeLessThan(big)
  })

  test.each(Object.keys(lists))('of %s reads few rows for its last page', async (list) => {
    const response = await admin.client.request(`/api/admin/${list}?pageSize=10`)
    const last = Math.ceil(Number(response.headers.get('x-total-count')) / 10)
    const { read } = await rowsReadBy(`/api/admin/${list}?pageSize=10&page=${last}`)
    for (const [table, rows] of Object.entries(read)) expect(rows, `rows of ${table}`).toBeLessThan(1_000)
  })

  const orders: Record<string, Record<string, string>> = {
    users: {
      createdAt: 'created_at',
      username: 'lower(username) collate "C"',
      email: 'lower(email) collate "C"',
      role: 'role, lower(username) collate "C"',
      subscriptionEndDate: "coalesce(subscription_end_date, 'infinity')",
    },
    invoices: {
      createdAt: 'created_at',
      amount: 'amount',
      status: 'status, created_at',
      invoiceNumber: 'invoice_number',
    },
    reports: { createdAt: 'created_at', status: 'status, created_at' },
    'trial-requests': { requestDate: 'request_date', status: 'status, request_date' },
    tickets: { lastMessageAt: 'last_message_at', status: 'status, last_message_at' },
    lines: { createdAt: 'id' },
  }
  const filters: Record<string, Record<string, string>> = {
    users: { '': 'true', active: "subscription_status = 'active'" },
    invoices: {
      '': 'true',
      paid: "status = 'paid'",
      expired: "(status = 'expired' or status in ('draft', 'pending') and expires_at <= now())",
    },
    reports: { '': 'true', resolved: "status = 'resolved'" },
    'trial-requests': { '': 'true', denied: "status = 'denied'" },
    tickets: { '': 'true', solved: "status = 'solved'" },
    lines: { '': 'true', done: "state = 'done'", tasks: 'task is not null' },
  }
  const orderings = Object.entries(orders).flatMap(([list, sorts]) =>
    Object.entries(sorts).flatMap(([sort, keys]) =>
      Object.entries(filters[list]!).map(([status, condition]) => ({ list, sort, keys, status, condition })),
    ),
  )

  /** Compares pages from all parts of the list, in both directions, with the whole list in order. */
  async function expectCorrectPages({
    list,
    sort,
    keys,
    status,
    condition,
  }: (typeof orderings)[number]): Promise<void> {
    const table = list === 'lines' ? 'line_jobs' : list.replace('-', '_')
    const { rows } = await app.db.execute<{ id: number }>(
      sql.raw(`select id from ${table} where ${condition} order by ${keys}, id`),
    )
    for (const direction of ['asc', 'desc'])
      for (const part of [0.02, 0.13, 0.38, 0.5, 0.61, 0.87, 0.999]) {
        const page = Math.ceil((part * rows.length) / 10)
        const response = await admin.client.request(
          `/api/admin/${list}?pageSize=10&page=${page}&sort=${sort}&order=${direction}${status && `&status=${status}`}`,
        )
        const all = direction === 'asc' ? rows : rows.toReversed()
        const expected = all.slice((page - 1) * 10, page * 10).map(({ id }) => Number(id))
        expect(
          ((await response.json()) as { id: number }[]).map(({ id }) => id),
          `page ${page} ${direction}`,
        ).toEqual(expected)
        expect(Number(response.headers.get('x-total-count'))).toBe(rows.length)
      }
  }

  test.each(orderings)('shows the right rows on every page: $list by $sort $status', expectCorrectPages)

  test.each(orderings.filter(({ status }) => status !== 'expired'))(
    'reads few rows for its middle page: $list by $sort $status',
    async ({ list, sort, status }) => {
      const query = `pageSize=10&sort=${sort}${status && `&status=${status}`}`
      const response = await admin.client.request(`/api/admin/${list}?${query}`)
      const page = Math.ceil(Number(response.headers.get('x-total-count')) / 20)
      const { read, scanned } = await rowsReadBy(`/api/admin/${list}?${query}&page=${page}`)
      expect(scanned).toEqual([])
      for (const [table, rows] of Object.entries(read)) expect(rows, `rows of ${table}`).toBeLessThan(5_000)
    },
  )

  test.each([
    ['spread over the list', 'osprey'],
    ['that are all among its oldest rows', 'kestrel'],
  ])('shows the right rows for a search with many matches %s', async (_, search) => {
    const named = search === 'osprey' ? sql`id % 20 = 0` : sql`true order by created_at, id limit 1200`
    await app.db.execute(
      sql`update invoices set payment_note = ${search} where id in (select id from invoices where payment_note like 'SAUCE%' and ${named})`,
    )
    const { rows } = await app.db.execute<{ id: number }>(
      sql`select id from invoices where payment_search(confirmation_code, payment_note, invoice_number) like ${`%${search}%`} order by created_at, id`,
    )
    expect(rows.length).toBeGreaterThan(1_000)
    const address = `/api/admin/invoices?pageSize=10&search=${search}`
    const isCounted = async () =>
      (await admin.client.request(address)).headers.get('x-total-count') === String(rows.length)
    for (const counted of [false, true]) {
      if (counted) await expect.poll(isCounted).toBe(true)
      for (const order of ['desc', 'asc'])
        for (const page of [1, 2, 7, ...(counted ? [100, Math.ceil(rows.length / 10)] : [])]) {
          const response = await admin.client.request(`${address}&order=${order}&page=${page}`)
          const all = order === 'asc' ? rows : rows.toReversed()
          expect(
            ((await response.json()) as { id: number }[]).map(({ id }) => id),
            `page ${page} ${order}`,
          ).toEqual(all.slice((page - 1) * 10, page * 10).map(({ id }) => Number(id)))
        }
    }
  })

  test('has correct counters after rows are inserted, updated and deleted', async () => {
    const totals = async () => {
      const { rows } = await app.db.execute<{ list: string; status: string; rows: number }>(
        sql`select list, status, sum(rows)::int as rows
          from (select list, status, rows from row_counts where way = 0 union all select list, status, rows from row_changes) counted
          where list in ('invoices', 'line_jobs', 'reports', 'trial_requests', 'users') group by 1, 2 having sum(rows) <> 0 order by 1, 2`,
      )
      return rows
    }
    const actualCounts = async () => {
      const { rows } = await app.db.execute<{ list: string; status: string; rows: number }>(sql`
        select 'invoices' as list, status, count(*)::int as rows from invoices group by 2 union all
        select 'line_jobs', state, count(*)::int from line_jobs group by 2 union all
        select 'reports', status, count(*)::int from reports group by 2 union all
        select 'trial_requests', status, count(*)::int from trial_requests group by 2 union all
        select 'users', subscription_status, count(*)::int from users group by 2 order by 1, 2`)
      return rows
    }
    expect(await totals()).toEqual(await actualCounts())
    await app.db.execute(sql`update invoices set status = 'cancelled', paid_at = null where id % 7 = 0`)
    await app.db.execute(sql`update users set subscription_status = 'expired' where id % 11 = 0`)
    await app.db.execute(sql`delete from trial_requests where id % 5 = 0`)
    await app.db.execute(sql`update reports set status = 'resolved'`)
    await app.db.execute(sql`update line_jobs set state = 'done', task = null where id % 4 = 0`)
    await app.db.execute(sql`delete from line_jobs where id % 5 = 0`)
    await app.db.execute(
      sql`update invoices set amount = amount / 2, invoice_number = 'ORD-' || translate(substr(invoice_number, 5), '0123456789', '9876543210') where id % 13 = 0`,
    )
    await app.db.execute(
      sql`update users set username = 'x' || left(username, 20), email = 'y' || email, role = 'admin' where id % 17 = 0`,
    )
    expect(await totals()).toEqual(await actualCounts())
    for (const ordering of orderings) await expectCorrectPages(ordering)
    await addUpCounts(app.db)
    expect(await totals()).toEqual(await actualCounts())
    for (const ordering of orderings) await expectCorrectPages(ordering)
    const { rows } = await app.db.execute<{ most: number }>(sql`select count(*)::int as most from row_changes`)
    expect(rows).toEqual([{ most: 0 }])
  }, 120_000)
})
