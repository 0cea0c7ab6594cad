import { Link, lazyRouteComponent, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { sections as settingSections } from '#features/settings/web/setting-sections.ts'
import { SettingsSection } from '#features/settings/web/settings-section.tsx'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

const BrandStudio = lazyRouteComponent(() => import('#features/brand/web/brand-studio.tsx'), 'BrandStudio')
// Server rendering is synchronous, so the component is loaded before.
if (import.meta.env.SSR) await BrandStudio.preload?.()
const sections = [{ value: 'brand', label: 'Brand', Content: BrandStudio }, ...settingSections] as const

/** /admin/settings (decisions, Words): shows one section at a time. The URL holds the section. */
export function AdminSettingsPage() {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const [first] = sections
  const section = sections.find(({ value }) => value === address.section) ?? first
  return (
    <AdminFrame title="Settings">
      <div className="settings">
        <nav aria-label="Settings">
          <ul className="settings-nav">
            {sections.map(({ value, label }) => (
              <li key={value}>
                <Link
                  to="/admin/settings"
                  search={{ section: value } as never}
                  resetScroll={false}
                  aria-current={value === section.value ? 'page' : undefined}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {'Content' in section ? (
          <Suspense fallback={<PageSpinner />}>
            <section.Content />
          </Suspense>
        ) : (
          <SettingsSection key={section.value} section={section} />
        )}
      </div>
    </AdminFrame>
  )
}
