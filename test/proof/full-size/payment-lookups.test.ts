import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { comparePayments } from '#features/payments/server/service/compare-payments.ts'
import type { NewPayment } from '#features/payments/server/service/record-payment.ts'
import { buildApp, type TestApp } from '../../harness/app.ts'
import { manyRows } from '../../harness/many-rows.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ template: await manyRows() })
}, 180_000)
afterAll(() => app.close())

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Index Name'?: string
  Plans?: Node[]
}
const grows = new Set([
  'invoices',
  'users',
  'payment_codes',
  'payer_identities',
  'payment_allocations',
  'referral_claims',
])
/** Returns the scans of growing tables that have no index condition: with them PostgreSQL reads the whole table for each key. */
function wholeScans(node: Node): string[] {
  const table = node['Relation Name']
  const isWhole = table && grows.has(table) && /Scan$/.test(node['Node Type']) && !node['Index Cond']
  const isBitmap = node['Node Type'] === 'Bitmap Heap Scan'
  return [
    ...(isWhole && !isBitmap ? [`${node['Node Type']} of ${table} ${node['Index Name'] ?? ''}`] : []),
    ...(node.Plans ?? []).flatMap(wholeScans),
  ]
}

/** Payments that name orders, phrases, typed codes and customers, known and unknown ones. */
async function payments(count: number): Promise<NewPayment[]> {
  const { rows } = await app.database.pool.query<{ number: string; phrase: string | null; name: string | null }>(
    `select i.invoice_number as number, i.payment_reference as phrase, u.full_name as name
     from invoices i join users u on u.id = i.user_id order by i.id desc limit ${count}`,
  )
  return rows.map(({ number, phrase, name }, at) => ({
    rail: 'cashapp',
    source: 'statement',
    amount: 3_000 + at,
    paidOn: '2026-11-20',
    payerName: name ?? `Dana Whitfield ${at}`,
    payerHandle: `$payer${at}`,
    note: at % 3 === 0 ? number : at % 3 === 1 ? `for ${phrase ?? 'amber otter'}` : 'ORD-ABC234 thanks a lot',
    providerReference: `CODE${at}`,
  }))
}

test('every matcher lookup finds its rows through an index, for one payment and for many', async () => {
  const query = vi.spyOn(app.database.pool, 'query')
  for (const count of [1, 250]) {
    query.mockClear()
    await comparePayments(app.db, await payments(count))
    const statements = query.mock.calls
      .map(([config, values]) => ({ ...(config as unknown as pg.QueryConfig), values: values as unknown as unknown[] }))
      .filter(({ text }) => text?.includes('k(key)'))
    expect(statements.length).toBeGreaterThanOrEqual(6)
    for (const { text, values } of statements) {
      const { rows } = await app.database.pool.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
        text: `explain (format json) ${text}`,
        values,
      })
      expect(wholeScans(rows[0]!['QUERY PLAN'][0]!.Plan), text).toEqual([])
    }
  }
  query.mockRestore()
})
