import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMay } from '../ui/permission/use-may.ts'
import { TabPanel } from '../ui/tabs/tab-panel.tsx'
import { Tabs } from '../ui/tabs/tabs.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'
import { adminTabs } from './admin/admin-tabs.ts'
import { PaymentsNote } from './admin/payments-note.tsx'
import { useTabCounts } from './admin/use-tab-counts.ts'

/** The Admin Panel (specification 2). The URL holds the tab and the state of its list. */
export function AdminPage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const counts = useTabCounts()
  const may = useMay()
  const [first] = adminTabs
  const { value, Content } = adminTabs.find((tab) => tab.value === address.tab) ?? first
  // Drops the search and filters, which belong to the list of the previous tab.
  const open = (tab: string) =>
    void navigate({ to: '.', search: { tab: tab === first.value ? undefined : tab } as never, resetScroll: false })

  return (
    <AdminFrame title="Admin Panel">
      {may('settings.edit') && <PaymentsNote />}
      <Tabs
        id="admin"
        label="Admin Panel"
        tabs={adminTabs.filter(({ needs }) => may(needs)).map((tab) => ({ ...tab, count: counts[tab.value] }))}
        value={value}
        onChange={open}
      />
      <TabPanel id="admin" value={value} className="mt-5">
        <Content />
      </TabPanel>
    </AdminFrame>
  )
}
