import { useNavigate, useSearch } from '@tanstack/react-router'
import { AdminChannelsPanel } from '#features/catalog/web/admin-channels-panel.tsx'
import { AdminDevicesPanel } from '#features/catalog/web/admin-devices-panel.tsx'
import { AdminFaqsPanel } from '#features/catalog/web/admin-faqs-panel.tsx'
import { AdminPlansPanel } from '#features/catalog/web/admin-plans-panel.tsx'
import { ChannelImportSection } from '#features/catalog/web/import/channel-import-section.tsx'
import { SampleContentNote } from '#features/catalog/web/sample-content-note.tsx'
import { TabPanel } from '../ui/tab-panel.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

const tabs = [
  { value: 'plans', label: 'Plans', Panel: AdminPlansPanel },
  { value: 'channels', label: 'Channels', Panel: AdminChannelsPanel },
  { value: 'devices', label: 'Device Categories', Panel: AdminDevicesPanel },
  { value: 'faqs', label: 'FAQs', Panel: AdminFaqsPanel },
  { value: 'import', label: 'Import', Panel: ChannelImportSection },
] as const

/** What visitors are offered and told, kept by administrators (decisions, Screens). The tab stands in the address. */
export function AdminCataloguePage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { value, Panel } = tabs.find((tab) => tab.value === address.tab) ?? tabs[0]
  const open = (tab: string) =>
    void navigate({ to: '.', search: { tab: tab === tabs[0].value ? undefined : tab } as never, resetScroll: false })
  return (
    <AdminFrame title="Catalogue">
      <SampleContentNote />
      <Tabs id="catalogue" label="Catalogue" tabs={tabs} value={value} onChange={open} />
      <TabPanel id="catalogue" value={value} className="mt-5">
        <Panel />
      </TabPanel>
    </AdminFrame>
  )
}
