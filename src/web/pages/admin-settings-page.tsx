import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { type SettingSection, settingSections } from '#features/settings/admin-contract.ts'
import { settingLabels } from '#features/settings/section-rules.ts'
import { ownPanels } from '#features/settings/web/setting-sections.ts'
import { SettingsSection } from '#features/settings/web/settings-section.tsx'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'
import { SettingsNav } from './admin/settings-nav.tsx'

const BrandStudio = lazyRouteComponent(() => import('#features/brand/web/brand-studio.tsx'), 'BrandStudio')
const StaffPanel = lazyRouteComponent(() => import('#features/staff/web/staff-panel.tsx'), 'StaffPanel')
const WebhooksPanel = lazyRouteComponent(() => import('#features/webhooks/web/webhooks-panel.tsx'), 'WebhooksPanel')
const ApiKeysPanel = lazyRouteComponent(() => import('#features/api-keys/web/api-keys-panel.tsx'), 'ApiKeysPanel')
// Server rendering is synchronous, so the components are loaded beforehand.
if (import.meta.env.SSR)
  await Promise.all([BrandStudio, StaffPanel, WebhooksPanel, ApiKeysPanel].map((panel) => panel.preload?.()))
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
  // After the authorization, a mail service redirects the administrator back with its response in the URL, without a section.
  const wanted = address.state === undefined ? address.section : 'mailbox'
  const { name, label } = settingLabels.find((section) => section.name === wanted) ?? settingLabels[0]!
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
