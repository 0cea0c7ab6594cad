import type { Db, Tx } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import {
  compare,
  factsOf,
  matchSettings,
  type PaymentComparison,
  type PaymentToCompare,
  stated,
} from './compare-payment.ts'
import { loadLookups } from './loaded-lookups.ts'
import type { NewPayment } from './record-payment.ts'

/** Splits payments into groups small enough that the database answers each query in a fraction of a second. */
export const groupsOf = <Payment>(payments: Payment[]): Payment[][] =>
  Array.from({ length: Math.ceil(payments.length / limits.statement.batchSize) }, (_, group) =>
    payments.slice(group * limits.statement.batchSize, (group + 1) * limits.statement.batchSize),
  )

/** Compares new payments of a statement with the open invoices. Writes nothing. */
export async function comparePayments(db: Db, payments: NewPayment[]): Promise<PaymentComparison[]> {
  const groups = groupsOf(payments)
  const compared: PaymentComparison[][] = []
  let next = 0
  const compareGroups = async () => {
    while (next < groups.length) {
      const at = next++
      compared[at] = await compareGroup(db, groups[at]!)
    }
  }
  // Two groups are compared in parallel: the database works on one group while this process works on the other.
  await Promise.all([compareGroups(), compareGroups()])
  return compared.flat()
}

/** Compares the payments of a group. They share their database queries. */
export async function compareGroup(db: Db | Tx, payments: NewPayment[]): Promise<PaymentComparison[]> {
  const terms = await matchSettings(db)
  const group = payments.map(comparable)
  const facts = group.map((payment) => factsOf(payment, payment.amount))
  const lookups = await loadLookups(db, facts, terms.notePrefix)
  return Promise.all(
    group.map((payment) => compare({ payment, openCents: payment.amount, evidence: stated }, terms, lookups)),
  )
}

const comparable = (facts: NewPayment): PaymentToCompare & { amount: number } => ({
  ...{ fee: 0, currency: 'USD', final: true, paidAt: null, payerName: '', payerHandle: '', note: '' },
  ...{ providerReference: null },
  ...facts,
  direction: facts.direction ?? 'in',
})
