import type { PaymentMethods } from '#features/settings/contract.ts'

/** An administrator's decision about an invoice. `version` and `expectedAmount` (cents) are the values that the dialog displayed. */
export type Decision = {
  status: 'pending' | 'paid' | 'cancelled'
  paidAt?: string | null
  expectedAmount?: number
  version?: number
  acknowledgeDuplicate?: boolean
}
/**
 * The settings that a decision depends on: days for which a reopened invoice stays open, percentage of the referral bonus, days of the money-back
 * guarantee, payment settings.
 */
export type BillingTerms = { validDays: number; percent: number; guaranteeDays: number; payments: PaymentMethods }
