import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { currentUser } from '#features/accounts/contract.ts'
import { ProfileCard } from '#features/accounts/web/profile/profile-card.tsx'
import { ReferralCard } from '#features/referrals/web/referral-card.tsx'
import { query } from '../data.ts'
import { TabPanel } from '../ui/tabs/tab-panel.tsx'
import { Tabs } from '../ui/tabs/tabs.tsx'
import { type AccountTab, accountEntries } from './dashboard/account-entries.tsx'
import { AccountFrame } from './dashboard/account-frame.tsx'
import { accountTabs } from './dashboard/account-tabs.tsx'
import { LogoutButton } from './dashboard/logout-button.tsx'
import { StuckCard } from './dashboard/stuck-card.tsx'

/** My Account. */
export function DashboardPage() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const search = useSearch({ from: '/dashboard' })
  const navigate = useNavigate({ from: '/dashboard' })
  const { value } = accountEntries.find((tab) => tab.value === search.tab) ?? accountEntries[0]!
  const { Content, Below } = accountTabs[value]
  const choose = (tab: AccountTab) =>
    void navigate({
      search: { tab: tab === accountEntries[0]?.value ? undefined : tab },
      replace: true,
      resetScroll: false,
    })
  if (!user) return null

  const tabs = accountEntries.map(({ value, label, icon }) => ({
    value,
    label,
    content: (
      <>
        {icon}
        {label}
      </>
    ),
  }))

  return (
    <AccountFrame
      title="My Account"
      actions={<LogoutButton />}
      tabs={<Tabs id="account" label="Account" look="rail" tabs={tabs} value={value} onChange={choose} />}
    >
      <TabPanel
        id="account"
        value={value}
        className="grid items-start gap-5 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]"
      >
        <div className="min-w-0">
          <Content />
          {Below && (
            <div className="mt-5">
              <Below />
            </div>
          )}
        </div>
        <div className="grid min-w-0 gap-5">
          <ProfileCard />
          {value === 'subscription' && <ReferralCard />}
          {value === 'subscription' && <StuckCard />}
        </div>
      </TabPanel>
    </AccountFrame>
  )
}
