import type { PaymentMethods } from '#features/settings/contract.ts'

/** An administrator's decision about an invoice. `version` and `expectedAmount` are what the administrator saw. */
export type Decision = {
  status: 'pending' | 'paid' | 'cancelled'
  paidAt?: string | null
  expectedAmount?: number
  version?: number
  acknowledgeDuplicate?: boolean
}
/** The settings a decision depends on: days a reopened invoice stays open, percent of the referral bonus, guarantee days, payment settings. */
export type BillingTerms = { validDays: number; percent: number; guaranteeDays: number; payments: PaymentMethods }
