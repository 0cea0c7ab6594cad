import { useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type SettingSection, settingSections } from '#features/settings/admin-contract.ts'
import { sectionOf } from '#features/settings/section-rules.ts'
import { isInUrl, ownPanels } from '#features/settings/web/setting-sections.ts'
import { SettingsSection } from '#features/settings/web/settings-section.tsx'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { pagePart } from '../ui/hydration/page-part.ts'
import { AdminFrame } from './admin/admin-frame.tsx'
import { SettingsNav } from './admin/settings-nav.tsx'

const BrandStudio = pagePart(() => import('#features/brand/web/brand-studio.tsx'), 'BrandStudio', isInUrl('brand'))
const StaffPanel = pagePart(() => import('#features/staff/web/staff-panel.tsx'), 'StaffPanel', isInUrl('staff'))
const WebhooksPanel = pagePart(
  () => import('#features/webhooks/web/webhooks-panel.tsx'),
  'WebhooksPanel',
  isInUrl('webhooks'),
)
const ApiKeysPanel = pagePart(
  () => import('#features/api-keys/web/api-keys-panel.tsx'),
  'ApiKeysPanel',
  isInUrl('api-keys'),
)
const panels = {
  ...ownPanels,
  brand: BrandStudio,
  staff: StaffPanel,
  webhooks: WebhooksPanel,
  'api-keys': ApiKeysPanel,
}
const isForm = (name: string): name is SettingSection => Object.hasOwn(settingSections, name)

/** /admin/settings: shows one section at a time. The URL holds the section. */
export function AdminSettingsPage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const { name, label } = sectionOf(address)
  const Panel = isForm(name) ? undefined : panels[name]
  return (
    <AdminFrame title="Settings">
      <div className="settings">
        <SettingsNav current={name} />
        <Suspense fallback={<PageSpinner />}>
          {isForm(name) ? <SettingsSection key={name} name={name} label={label} /> : Panel && <Panel />}
        </Suspense>
      </div>
    </AdminFrame>
  )
}
