import type { ComponentType } from 'react'
import { ReferralPanel } from '#features/referrals/web/referral-panel.tsx'
import { ReportsTab } from '#features/reports/web/reports-tab.tsx'
import type { AccountTab } from './account-entries.tsx'
import { IptvTab } from './iptv-tab.tsx'
import { LaterPlanChoice } from './later-plan-choice.tsx'
import { SubscriptionTab } from './subscription-tab.tsx'
import { WatchlistTab } from './watchlist-tab.tsx'

/** The content of each tab of My Account. `Below` is rendered after it. */
export const accountTabs: Record<AccountTab, { Content: ComponentType; Below?: ComponentType }> = {
  subscription: { Content: SubscriptionTab, Below: LaterPlanChoice },
  iptv: { Content: IptvTab },
  referrals: { Content: ReferralPanel },
  reports: { Content: ReportsTab },
  watchlist: { Content: WatchlistTab },
}
