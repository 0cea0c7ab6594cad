import type { ComponentType } from 'react'
import { ReferralPanel } from '#features/referrals/web/referral-panel.tsx'
import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'
import { WatchlistPanel } from './watchlist-panel.tsx'

export type AccountTab = 'subscription' | 'referrals' | 'watchlist'

/** The tabs of My Account in their order; the first one is the start. */
export const accountTabs: readonly { value: AccountTab; label: string; panel: ComponentType }[] = [
  { value: 'subscription', label: 'Subscription', panel: SubscriptionPanel },
  { value: 'referrals', label: 'Referrals', panel: ReferralPanel },
  { value: 'watchlist', label: 'Watchlist', panel: WatchlistPanel },
]
