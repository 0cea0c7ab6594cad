import type { PaymentMethods } from '#features/settings/contract.ts'
import type { Approver } from '#server/session/actor.ts'

export type Decision = {
  status: 'pending' | 'paid' | 'cancelled'
  paidAt?: string | null
  expectedAmount?: number
  version?: number
  acknowledgeDuplicate?: boolean
}
/** `selfApproval` false: administrators cannot confirm their own invoices or those that earn them a bonus. */
export type Act = Approver
/** The operator's terms for a decision: days a reopened invoice stays open, percent of the referrer's bonus, days of guarantee, ways to pay. */
export type Terms = { validDays: number; percent: number; guaranteeDays: number; payments: PaymentMethods }
