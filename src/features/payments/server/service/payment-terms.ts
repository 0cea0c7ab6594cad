import { inArray } from 'drizzle-orm'
import { readBillingTerms } from '#features/billing/server/service/payments/decide-invoice.ts'
import type { BillingTerms } from '#features/billing/server/service/payments/decision.ts'
import type { SettingValue } from '#features/settings/contract.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { payments } from '#server/db/tables.ts'
import type { Rail } from '../../rules.ts'

/** The billing terms and the settings of the payment desk. */
export type PaymentTerms = BillingTerms & { desk: SettingValue<'paymentDesk'> }

/** Reads the terms. Call it before the transaction begins, because settings are only cached outside of transactions. */
export async function readPaymentTerms(db: Db): Promise<PaymentTerms> {
  const [terms, desk] = await Promise.all([readBillingTerms(db), settings.read(db, 'paymentDesk')])
  return { ...terms, desk }
}

/**
 * Returns the billing terms for confirming an invoice with these payments. If the trusted days of one of their rails are longer than the guarantee, they
 * replace it, so that a referral bonus is pending until the money can no longer be reversed.
 */
export async function termsOfPayments(tx: Tx, { desk, ...terms }: PaymentTerms, ids: number[]): Promise<BillingTerms> {
  const trusted: Partial<Record<Rail, number>> = desk.trustedDays
  if (Object.values(trusted).every((days) => days <= terms.guaranteeDays)) return terms
  const rows = await tx.selectDistinct({ rail: payments.rail }).from(payments).where(inArray(payments.id, ids))
  return { ...terms, guaranteeDays: Math.max(terms.guaranteeDays, ...rows.map(({ rail }) => trusted[rail] ?? 0)) }
}
