import { useNavigate, useSearch } from '@tanstack/react-router'
import { TabPanel } from '../ui/tab-panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'
import { adminTabs } from './admin/admin-tabs.ts'
import { PaymentsNote } from './admin/payments-note.tsx'
import { useTabCounts } from './admin/use-tab-counts.ts'

/** The Admin Panel (specification 2). The tab stands in the address; every list keeps its own state beside it. */
export function AdminPage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const counts = useTabCounts()
  const [first] = adminTabs
  const { value, Panel } = adminTabs.find((tab) => tab.value === address.tab) ?? first
  // A tab starts afresh: what another list was searched for means nothing here.
  const open = (tab: string) =>
    void navigate({ to: '.', search: { tab: tab === first.value ? undefined : tab } as never, resetScroll: false })

  return (
    <AdminFrame title="Admin Panel">
      <PaymentsNote />
      <Tabs
        id="admin"
        label="Admin Panel"
        tabs={adminTabs.map((tab) => ({ ...tab, count: counts[tab.value] }))}
        value={value}
        onChange={open}
      />
      <TabPanel id="admin" value={value} className="mt-5">
        <Panel />
      </TabPanel>
    </AdminFrame>
  )
}
