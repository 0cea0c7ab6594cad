// For each kind of decision that an administrator can make about a payment: a payment and that decision.
import { eq } from 'drizzle-orm'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import type { PaymentDecision } from '#features/payments/admin-contract.ts'
import { invoices, payments } from '#server/db/tables.ts'
import type { paymentDeskWorld } from './payment-desk-world.ts'

export type PaymentCase = { id: number; decision: Omit<PaymentDecision, 'version'> }
type World = Awaited<ReturnType<typeof paymentDeskWorld>>

export const paymentCaseNames = [
  'exact',
  'underpaid, held',
  'underpaid, accepted',
  'underpaid, rest from credit',
  'overpaid, excess to credit',
  'overpaid, excess sent back',
  'credit',
  'send back',
  'not ours',
  'late',
  'join',
  'link',
  'split',
  'take back',
  'absorb a loss',
] as const
type PaymentCaseName = (typeof paymentCaseNames)[number]

/**
 * Returns functions that each create a new payment, and its order if it has one, and return the decision to make. An order costs 3,000 cents. The settings of
 * the payment desk must accept a difference of up to 10 cents.
 */
export function paymentCases(world: World): Record<PaymentCaseName, () => Promise<PaymentCase>> {
  const expired = async (id: number) =>
    world.app.db
      .update(invoices)
      .set({ status: 'expired', expiresAt: new Date(Date.now() - 86_400_000).toISOString() })
      .where(eq(invoices.id, id))
  const pay = async (
    amount: number,
    decision: Omit<PaymentDecision, 'version' | 'invoiceIds'>,
  ): Promise<PaymentCase> => {
    const invoice = await world.ordered()
    const { id } = await world.record(amount, invoice.invoiceNumber)
    return { id, decision: { ...decision, invoiceIds: [invoice.id] } }
  }
  const reversalOf = async (reversesId: number, amount: number, action: 'take_back' | 'bear'): Promise<PaymentCase> => {
    const [paid] = await world.app.db.select().from(payments).where(eq(payments.id, reversesId))
    const { id } = await world.arrive('', { direction: 'reversal', reversesId, amount, payerHandle: paid!.payerHandle })
    return { id, decision: { action } }
  }
  return {
    exact: () => pay(3_000, { action: 'confirm' }),
    'underpaid, held': () => pay(2_000, { action: 'hold' }),
    'underpaid, accepted': () => pay(2_995, { action: 'confirm', short: 'accept', reason: 'Fees' }),
    'underpaid, rest from credit': async () => {
      const customer = await world.app.signIn({ credit: 500 })
      const invoice = await world.ordered(customer, false)
      const { id } = await world.record(2_900, invoice.invoiceNumber)
      return { id, decision: { action: 'confirm', short: 'credit', invoiceIds: [invoice.id] } }
    },
    'overpaid, excess to credit': () => pay(3_500, { action: 'confirm', rest: 'credit' }),
    'overpaid, excess sent back': () => pay(3_500, { action: 'confirm', rest: 'refund' }),
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
}
