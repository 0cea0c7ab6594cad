import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import type { PaymentDecision } from '#features/payments/admin-contract.ts'
import { rematchOpen } from '#features/payments/server/service/match-payment.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { invoices, payments } from '#server/db/tables.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { paymentDeskWorld } from '../harness/payment-desk-world.ts'
import { tableHashes } from '../harness/table-hashes.ts'

let world: Awaited<ReturnType<typeof paymentDeskWorld>>
beforeAll(async () => {
  world = await paymentDeskWorld()
  const params = { section: 'payment-desk' as const }
  const { version, value } = await world.admin.client.call(getSetting, { params })
  const body = { version, value: { ...value, acceptedCents: 10 } }
  await world.admin.client.call(updateSetting, { params, body })
})
afterAll(async () => {
  await expectInvariants(world.app.db)
  await world.app.close()
})

/** Append-only records, work that follows, and tables that are compared below without their versions and times. */
const history = ['audit_log', 'mails', 'activations', 'payment_allocations', 'payment_decisions', 'credit_transactions']
const following = ['line_jobs', 'lines', 'row_changes', 'insight_marks', 'credit_holds']
const compared = ['invoices', 'payment_cases', 'payer_identities', 'users', 'segments']
const volatile = ['id', 'activation_id', 'version', 'changed_at', 'matched_at', 'last_at', 'created_at', 'updated_at']

/** Everything that a decision may change and its undo must restore. */
async function state() {
  const { pool } = world.app.database
  const hashes = await tableHashes(pool, { except: [...history, ...following, ...compared] })
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

type Case = { id: number; decision: Omit<PaymentDecision, 'version'> }
const expired = async (id: number) =>
  world.app.db
    .update(invoices)
    .set({ status: 'expired', expiresAt: new Date(Date.now() - 86_400_000).toISOString() })
    .where(eq(invoices.id, id))
const pay = async (amount: number, decision: Omit<PaymentDecision, 'version' | 'invoiceIds'>): Promise<Case> => {
  const invoice = await world.ordered()
  const { id } = await world.record(amount, invoice.invoiceNumber)
  return { id, decision: { ...decision, invoiceIds: [invoice.id] } }
}
const cases: Record<string, () => Promise<Case>> = {
  exact: () => pay(3_000, { action: 'confirm' }),
  part: () => pay(2_000, { action: 'hold' }),
  'part, accepted': () => pay(2_995, { action: 'confirm', acceptShort: true, reason: 'Fees' }),
  'over, rest to credit': () => pay(3_500, { action: 'confirm', rest: 'credit' }),
  'over, rest to send back': () => pay(3_500, { action: 'confirm', rest: 'refund' }),
  credit: () => pay(700, { action: 'credit' }),
  'send back': () => pay(700, { action: 'refund' }),
  'not ours': () => pay(700, { action: 'not_ours' }),
  late: async () => {
    const late = await pay(3_000, { action: 'confirm' })
    await expired(late.decision.invoiceIds![0]!)
    return late
  },
  join: async () => {
    const first = await pay(2_000, { action: 'hold' })
    await world.decide(first.id, first.decision)
    const invoiceIds = first.decision.invoiceIds!
    const [invoice] = await world.app.db.select().from(invoices).where(eq(invoices.id, invoiceIds[0]!))
    const { id } = await world.record(1_000, invoice!.invoiceNumber)
    return { id, decision: { action: 'confirm', invoiceIds } }
  },
  link: async () => {
    const paid = await pay(3_000, { action: 'link' })
    const invoiceId = paid.decision.invoiceIds![0]!
    await world.admin.client.call(updateInvoice, { params: { invoiceId }, body: { status: 'paid' } })
    return paid
  },
  split: async () => {
    const rows = [await world.ordered(), await world.ordered(), await world.ordered()]
    const { id } = await world.record(9_000, rows[0]!.invoiceNumber)
    return { id, decision: { action: 'confirm', invoiceIds: rows.map((row) => row.id) } }
  },
  'take back': async () => {
    const paid = await pay(3_500, { action: 'confirm', rest: 'credit' })
    await world.decide(paid.id, paid.decision)
    return reversalOf(paid.id, 3_500, 'take_back')
  },
  'absorb a loss': async () => {
    const paid = await pay(3_000, { action: 'confirm' })
    await world.decide(paid.id, paid.decision)
    return reversalOf(paid.id, 1_000, 'bear')
  },
}
async function reversalOf(reversesId: number, amount: number, action: 'take_back' | 'bear'): Promise<Case> {
  const [paid] = await world.app.db.select().from(payments).where(eq(payments.id, reversesId))
  const { id } = await world.arrive('', { direction: 'reversal', reversesId, amount, payerHandle: paid!.payerHandle })
  return { id, decision: { action } }
}

it.each(Object.keys(cases))('%s is undone: every table but the history is as before', async (name) => {
  const { id, decision } = await cases[name]!()
  await rematchOpen(world.app.db, 1_000)
  const before = await state()
  await world.decide(id, decision)
  expect(await state()).not.toEqual(before)
  await world.undo(id)
  expect(await state()).toEqual(before)
})
