import type { ComponentType } from 'react'
import { ReferralPanel } from '#features/referrals/web/referral-panel.tsx'
import { ReportsTab } from '#features/reports/web/reports-tab.tsx'
import { PlanChoice } from '#features/subscriptions/web/plan-choice.tsx'
import { SubscriptionPanel } from '#features/subscriptions/web/subscription-panel.tsx'
import { IptvTab } from './iptv-tab.tsx'
import { WatchlistPanel } from './watchlist-panel.tsx'

export type AccountTab = 'subscription' | 'iptv' | 'referrals' | 'reports' | 'watchlist'

/** The tabs of My Account in their order; the first one is the start. `below` takes the whole width under panel and profile. */
export const accountTabs: readonly { value: AccountTab; label: string; panel: ComponentType; below?: ComponentType }[] =
  [
    { value: 'subscription', label: 'Subscription', panel: SubscriptionPanel, below: PlanChoice },
    { value: 'iptv', label: 'IPTV Account', panel: IptvTab },
    { value: 'referrals', label: 'Referrals', panel: ReferralPanel },
    { value: 'reports', label: 'Reports', panel: ReportsTab },
    { value: 'watchlist', label: 'Watchlist', panel: WatchlistPanel },
  ]
