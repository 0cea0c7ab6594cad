import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminInvoices } from '#features/billing/server/service/read-invoices.ts'
import { migrate } from '#server/db/migrate.ts'
import { invoices, paymentCodes } from '#server/db/tables.ts'
import { checkInvariants } from '../../src/all-invariants.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { migrateTo, migrations } from '../harness/old-release.ts'

/** Codes as a release before 0035 stored them, and their folded forms. */
const codes: [string | null, string | null][] = [
  ['#AbC-12 34', 'A8C1234'],
  ['abcl234', 'A8C1234'],
  ['ＡＢＣ１２３４', 'A8C1234'],
  ['A8C12345', 'A8C12345'],
  ['IL-O-Z-S-B', '110258'],
  ['АBC-98765', '8C98765'],
  ['оплачено', 'оплачено'],
  ['----', '----'],
  ['__ 99', '99'],
  ['Straße 4711', '5TRAE4711'],
  [null, null],
]

let database: TestDatabase
let before: unknown[]
const stored = async () => (await database.db.execute(sql`select * from invoices order by id`)).rows
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  const client = await database.pool.connect()
  await migrateTo('0034', client)
  await client.query(
    "insert into users (username, email, password_hash, referral_code, role) values ('ann', 'ann@example.org', 'none', 'ANN123', 'admin')",
  )
  await client.query(
    "insert into plans (name, price, tier, months, connections, billing, features) values ('Beast', 1500, 2, 3, 1, '3 months', '[]')",
  )
  for (const [n, [code]] of codes.entries())
    await client.query(
      `insert into invoices (invoice_number, user_id, plan_id, plan_name, plan_months, plan_connections, description, customer_details, amount, status, payment_method,
        confirmation_code, expires_at)
      select 'ORD-OLD' || lpad($1::int::text, 3, '0'), users.id, plans.id, 'Beast', 3, 1, '', '', 1500, 'pending', case when $1::int % 2 = 0 then 'venmo' else 'cashapp' end, $2,
        now() + interval '7 days' from users, plans`,
      [n, code],
    )
  client.release()
  before = await stored()
  await migrate(database.pool, migrations)
})
afterAll(async () => {
  await database?.close()
})

test('codes of earlier releases are folded, and the invoices stay unchanged', async () => {
  expect(await stored()).toEqual(before)
  const folded = new Map((await database.db.select().from(paymentCodes)).map((row) => [row.invoiceId, row.folded]))
  const ids = (await database.db.select({ id: invoices.id }).from(invoices).orderBy(invoices.id)).map(({ id }) => id)
  expect(ids.map((id) => folded.get(id) ?? null)).toEqual(codes.map(([, wanted]) => wanted))
  const { results } = await checkInvariants(database.db)
  expect(results.filter(({ broken }) => broken.length > 0)).toEqual([])
})

test('they are compared with each other and with later codes', async () => {
  const shown = async () => {
    const ids = (await database.db.select({ id: invoices.id }).from(invoices).orderBy(invoices.id)).map(({ id }) => id)
    return (await adminInvoices(database.db, ids)).map(({ duplicateCode, similarCode }) =>
      duplicateCode ? 'same' : similarCode,
    )
  }
  expect(await shown()).toEqual(['same', 'same', 'same', 'ORD-OLD002', null, null, null, null, null, null, null])
  await database.db.execute(
    sql`update invoices set confirmation_code = '110-258 7' where invoice_number = 'ORD-OLD010'`,
  )
  expect((await shown())[4]).toBe('ORD-OLD010')
  await database.db.execute(sql`update invoices set confirmation_code = null where invoice_number = 'ORD-OLD010'`)
  expect((await shown())[4]).toBeNull()
})
