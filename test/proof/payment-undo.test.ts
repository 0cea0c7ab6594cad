import { afterAll, beforeAll, expect, it } from 'vitest'
import { rematchOpen } from '#features/payments/server/service/match-payment.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { paymentCaseNames, paymentCases } from '../harness/payment-cases.ts'
import { paymentDeskWorld } from '../harness/payment-desk-world.ts'
import { tableHashes } from '../harness/table-hashes.ts'

let world: Awaited<ReturnType<typeof paymentDeskWorld>>
let cases: ReturnType<typeof paymentCases>
beforeAll(async () => {
  world = await paymentDeskWorld()
  cases = paymentCases(world)
  await world.acceptDifferences(10)
})
afterAll(async () => {
  await expectInvariants(world.app.db)
  await world.app.close()
})

/** Append-only records, work that follows, and tables that are compared below without their versions and times. */
const history = ['audit_log', 'mails', 'activations', 'payment_allocations', 'payment_decisions', 'credit_transactions']
const dependentTables = ['line_jobs', 'lines', 'row_changes', 'insight_marks', 'credit_holds']
const compared = ['invoices', 'payment_cases', 'payer_identities', 'users', 'segments']
const volatile = ['id', 'activation_id', 'version', 'changed_at', 'matched_at', 'last_at', 'created_at', 'updated_at']

/** Everything that a decision may change and its undo must restore. */
async function state() {
  const { pool } = world.app.database
  const hashes = await tableHashes(pool, { except: [...history, ...dependentTables, ...compared] })
  const rows: string[] = []
  for (const table of compared) {
    const { rows: found } = await pool.query<{ row: string }>(
      `select (to_jsonb(t) - $1::text[])::text as row from ${table} t order by 1`,
      [volatile],
    )
    rows.push(...found.map(({ row }) => `${table} ${row}`))
  }
  return { ...hashes, rows }
}

it.each(paymentCaseNames)('undoing "%s" restores every table except the history', async (name) => {
  const { id, decision } = await cases[name]()
  await rematchOpen(world.app.db, 1_000)
  const before = await state()
  await world.decide(id, decision)
  expect(await state()).not.toEqual(before)
  await world.undo(id)
  expect(await state()).toEqual(before)
})
