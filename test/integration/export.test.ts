import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createInvoice, createPlan, createUser } from '../harness/factories.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin({ username: 'the_chief', createdAt: '2019-01-01T00:00:00Z' })
  const plan = await createPlan(app.db, { name: 'Beast: 3 Connections' })
  const subscribed = {
    planId: plan.id,
    subscriptionStatus: 'active',
    subscriptionEndDate: '2024-06-01T00:00:00Z',
  } as const
  const ann = await createUser(app.db, {
    username: 'Ann',
    fullName: '=cmd|calc',
    createdAt: '2024-05-01T00:00:00.123456Z',
    ...subscribed,
  })
  const bob = await createUser(app.db, {
    username: 'bob_1',
    fullName: 'Bob, "the" one',
    createdAt: '2024-05-02T00:00:00Z',
  })
  await createInvoice(app.db, {
    userId: ann.id,
    invoiceNumber: 'ORD-AAAAAA',
    status: 'pending',
    paymentNote: '@SUM(A1)',
    createdAt: '2024-05-03T00:00:00Z',
  })
  await createInvoice(app.db, {
    userId: bob.id,
    invoiceNumber: 'ORD-BBBBBB',
    createdAt: '2024-05-04T00:00:00Z',
    paymentLink: 'https://pay.example/secret',
  })
  await app.db.execute(
    sql`insert into reports (user_id, content_type, content_name, issue) values (${ann.id}, 'movie', '+Plus', 'other')`,
  )
  const { rows } = await app.db.execute<{ id: number }>(
    sql`insert into trial_requests (user_id, message, device) values (${bob.id}, 'I would like to see it', 'TV, old') returning id`,
  )
  const sealed = seal(secretKey(app.context.config), 'open-sesame', `trial_requests:${rows[0]!.id}:trial_password`)
  await app.db.execute(
    sql`update trial_requests set status = 'approved', trial_username = 't', trial_server = 's', expiry_date = now(), trial_password = ${sealed}`,
  )
})
afterAll(() => app.close())

async function lines(path: string): Promise<string[]> {
  const response = await admin.client.request(path)
  expect(response.status).toBe(200)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  return new TextDecoder().decode(bytes).trimEnd().split('\r\n')
}

/** Returns the cells of a CSV line and expects each to be quoted. */
function cellsOf(line: string): string[] {
  expect(line).toMatch(/^("([^"]|"")*"(,|$))+$/)
  return line.slice(1, -1).split('","')
}

describe('CSV exports of lists', () => {
  test.each(['search=%00', 'sort=password_hash', 'order=up'])('are refused for the query %s', async (query) => {
    expect((await admin.client.request(`/admin/users.csv?${query}`)).status).toBe(400)
  })

  test('have the list and the date in their file name and are not cached', async () => {
    const { headers } = await admin.client.request('/admin/trial-requests.csv')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="trial-requests-\d{4}-\d\d-\d\d\.csv"$/)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('are searched, filtered and sorted like the list and ignore its page', async () => {
    const names = async (query: string) =>
      (await lines(`/admin/users.csv?${query}`)).slice(1).map((line) => cellsOf(line)[1])
    expect(await names('')).toEqual(['bob_1', 'Ann', 'the_chief'])
    expect(await names('sort=username&order=asc&page=7&pageSize=1')).toEqual(['Ann', 'bob_1', 'the_chief'])
    expect(await names('sort=subscriptionEndDate')).toEqual(['Ann', 'the_chief', 'bob_1'])
    expect(await names('search=B_1')).toEqual(['bob_1'])
    expect(await names('search=%25')).toEqual([])
    expect((await lines('/admin/invoices.csv?status=pending')).slice(1).map((line) => cellsOf(line)[0])).toEqual([
      'ORD-AAAAAA',
    ])
  })

  test('contain the name of a plan, not its id', async () => {
    const [heads, , ann] = await lines('/admin/users.csv')
    expect(cellsOf(ann!)[cellsOf(heads!).indexOf('Plan')]).toBe('Beast: 3 Connections')
    expect(heads).not.toContain('Plan ID')
  })

  test('contain no formulas that a spreadsheet would run', async () => {
    const [, bob, ann] = await lines('/admin/users.csv')
    expect(bob).toContain(',"Bob, ""the"" one",')
    expect(ann).toContain(`,"'=cmd|calc",`)
    expect((await lines('/admin/invoices.csv'))[2]).toContain(`,"'@SUM(A1)",`)
    expect((await lines('/admin/reports.csv'))[1]).toContain(`,"'+Plus",`)
  })

  test('contain no secrets', async () => {
    for (const list of ['users', 'invoices', 'reports', 'trial-requests'])
      expect((await lines(`/admin/${list}.csv`)).join('\n')).not.toMatch(/argon2|open-sesame|v\d:|pay\.example/)
  })

  test('are recorded in the audit log', async () => {
    await lines('/admin/invoices.csv?search=ann&sort=amount')
    const { rows } = await app.db.execute(
      sql`select actor_id, action, target_id, after from audit_log where action = 'list.export' order by id desc limit 1`,
    )
    expect(rows).toEqual([
      {
        actor_id: admin.user.id,
        action: 'list.export',
        target_id: 'invoices',
        after: { search: 'ann', sort: 'amount' },
      },
    ])
  })

  test('contain every row once, in order, even if a batch ends between rows with the same sort key', async () => {
    await app.db.execute(sql`insert into users (username, email, password_hash, referral_code, created_at)
      select 'many' || n, 'many' || n || '@example.org', 'x', 'MANY' || n, timestamptz '2023-01-01' + (n / 700) * interval '1 microsecond'
      from generate_series(1, 1600) n`)
    for (const order of ['asc', 'desc']) {
      const ids = (await lines(`/admin/users.csv?search=many&order=${order}`))
        .slice(1)
        .map((line) => Number(cellsOf(line)[0]))
      expect(ids).toHaveLength(1600)
      expect(ids).toEqual(ids.toSorted((a, b) => (order === 'asc' ? a - b : b - a)))
    }
    const names = (await lines('/admin/users.csv?search=many&sort=username')).slice(1).map((line) => cellsOf(line)[1]!)
    expect(names).toHaveLength(new Set(names).size)
    expect(names).toHaveLength(1600)
  })
})
