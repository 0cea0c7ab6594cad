import type { ComponentType } from 'react'
import { ReferralPanel } from '#features/referrals/web/referral-panel.tsx'
import { ReportsTab } from '#features/reports/web/reports-tab.tsx'
import { PlanChoice } from '#features/subscriptions/web/plan-choice.tsx'
import { IptvTab } from './iptv-tab.tsx'
import { SubscriptionTab } from './subscription-tab.tsx'
import { WatchlistTab } from './watchlist-tab.tsx'

export type AccountTab = 'subscription' | 'iptv' | 'referrals' | 'reports' | 'watchlist'

/** The tabs of My Account in order; the first is the default. `below` takes the full width under the content and the profile. */
export const accountTabs: readonly {
  value: AccountTab
  label: string
  Content: ComponentType
  below?: ComponentType
}[] = [
  { value: 'subscription', label: 'Subscription', Content: SubscriptionTab, below: PlanChoice },
  { value: 'iptv', label: 'IPTV Account', Content: IptvTab },
  { value: 'referrals', label: 'Referrals', Content: ReferralPanel },
  { value: 'reports', label: 'Reports', Content: ReportsTab },
  { value: 'watchlist', label: 'Watchlist', Content: WatchlistTab },
]
