import type { PlanPeriod, TimelineAction } from './model-time.ts'

export type Plan = { id: number; price: number; months: number }
export type Invoice = {
  id: number
  number: string
  kind: 'purchase' | 'plan_change'
  plan: Plan
  status: 'draft' | 'pending' | 'paid' | 'cancelled' | 'expired' | 'refunded'
  submitted: boolean
  submittedAt: string | null
  card: boolean
  /** The plan's price when it was ordered, in cents. */
  price: number
  /** The amount before credit, in cents. */
  due: number
  credit: number
  discount: number
  creditBack: number
  /** What the price of a plan change is based on, and the exact charge and credit. The product's values differ from these only by rounding. */
  priced: {
    at: string
    left: PlanPeriod[]
    periods: string
    until: string
    validUntil: string
    charge: number
    credit: number
  } | null
  act: TimelineAction | null
  renews: string | null
  expiresAt: string
  paidAt: string | null
  refund: 'pending' | 'approved' | 'declined' | null
}

export const day = 86_400_000
export const later = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString()

export const isOpen = ({ status }: Invoice): boolean => status === 'draft' || status === 'pending'
/** Returns the amount to pay after credit, in cents. */
export const amountOf = (invoice: Invoice): number => invoice.due - invoice.credit

/** Creates a draft invoice for a plan, which expires after a week. `over` replaces fields. */
export const newInvoice = (plan: Plan, now: string, over: Partial<Invoice>): Invoice => ({
  id: 0,
  number: '',
  kind: 'purchase',
  plan,
  status: 'draft',
  submitted: false,
  submittedAt: null,
  card: false,
  price: plan.price,
  due: plan.price,
  credit: 0,
  discount: 0,
  creditBack: 0,
  priced: null,
  act: null,
  renews: null,
  expiresAt: later(now, 7 * day),
  paidAt: null,
  refund: null,
  ...over,
})
