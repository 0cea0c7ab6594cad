import type { Instant } from '#kit/dates.ts'

export type SubscriptionFields = {
  subscriptionStatus: 'active' | 'pending' | 'expired' | 'cancelled' | 'none'
  subscriptionEndDate: Instant | null
}
/** Whether a subscription is active: one past its end date is not, even before the expiry job has updated the row. */
export const isRunning = ({ subscriptionStatus, subscriptionEndDate }: SubscriptionFields, now: Date): boolean =>
  subscriptionStatus === 'active' && (subscriptionEndDate === null || now < new Date(subscriptionEndDate))
