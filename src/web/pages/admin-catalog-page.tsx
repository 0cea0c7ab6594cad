import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { getSampleContent } from '#features/catalog/admin-contract.ts'
import { AdminChannelsTab } from '#features/catalog/web/admin/admin-channels-tab.tsx'
import { AdminDevicesTab } from '#features/catalog/web/admin/admin-devices-tab.tsx'
import { AdminFaqsTab } from '#features/catalog/web/admin/admin-faqs-tab.tsx'
import { AdminGuidesTab } from '#features/catalog/web/admin/admin-guides-tab.tsx'
import { AdminPlansTab } from '#features/catalog/web/admin/admin-plans-tab.tsx'
import { SampleContentNote } from '#features/catalog/web/admin/sample-content-note.tsx'
import { ChannelImportSection } from '#features/catalog/web/import/channel-import-section.tsx'
import { query } from '../data.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { TabPanel } from '../ui/tabs/tab-panel.tsx'
import { Tabs } from '../ui/tabs/tabs.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

const tabs = [
  { value: 'plans', label: 'Plans', Content: AdminPlansTab },
  { value: 'channels', label: 'Channels', Content: AdminChannelsTab },
  { value: 'devices', label: 'Device Categories', Content: AdminDevicesTab },
  { value: 'faqs', label: 'FAQs', Content: AdminFaqsTab },
  { value: 'guides', label: 'Setup Guides', Content: AdminGuidesTab },
  { value: 'import', label: 'Import', Content: ChannelImportSection },
] as const

/** /admin/catalogue: plans, channels, devices, FAQs and setup guides. The URL holds the tab. */
export function AdminCatalogPage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { value, Content } = tabs.find((tab) => tab.value === address.tab) ?? tabs[0]
  const open = (tab: string) =>
    void navigate({ to: '.', search: { tab: tab === tabs[0].value ? undefined : tab } as never, resetScroll: false })
  const { isPending, failureCount } = useQuery(query(getSampleContent))
  // Wait for the response: a note that appears above the tabs later would move the tabs while the user is about to click.
  if (isPending && failureCount === 0)
    return (
      <AdminFrame title="Catalog">
        <Skeleton className="h-96" />
      </AdminFrame>
    )
  return (
    <AdminFrame title="Catalog">
      <SampleContentNote />
      <Tabs id="catalogue" label="Catalog" tabs={tabs} value={value} onChange={open} />
      <TabPanel id="catalogue" value={value} className="mt-5">
        <Content />
      </TabPanel>
    </AdminFrame>
  )
}
