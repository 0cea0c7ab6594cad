import { Bookmark, CircleCheck, Flag, Gift, KeyRound } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { ReferralPanel } from '#features/referrals/web/referral-panel.tsx'
import { ReportsTab } from '#features/reports/web/reports-tab.tsx'
import { PlanChoice } from '#features/subscriptions/web/plan-choice.tsx'
import { IptvTab } from './iptv-tab.tsx'
import { SubscriptionTab } from './subscription-tab.tsx'
import { WatchlistTab } from './watchlist-tab.tsx'

export type AccountTab = 'subscription' | 'iptv' | 'referrals' | 'reports' | 'watchlist'

/** The tabs of My Account in order; the first is the default. `Below` follows the content. */
export const accountTabs: readonly {
  value: AccountTab
  label: string
  icon: ReactNode
  Content: ComponentType
  Below?: ComponentType
}[] = [
  {
    value: 'subscription',
    label: 'Subscription',
    icon: <CircleCheck size={18} />,
    Content: SubscriptionTab,
    Below: PlanChoice,
  },
  { value: 'iptv', label: 'IPTV Account', icon: <KeyRound size={18} />, Content: IptvTab },
  { value: 'referrals', label: 'Referrals', icon: <Gift size={18} />, Content: ReferralPanel },
  { value: 'reports', label: 'Reports', icon: <Flag size={18} />, Content: ReportsTab },
  { value: 'watchlist', label: 'Watchlist', icon: <Bookmark size={18} />, Content: WatchlistTab },
]
