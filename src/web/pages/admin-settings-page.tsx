import { Link, useSearch } from '@tanstack/react-router'
import { SettingSectionPanel } from '#features/settings/web/setting-section-panel.tsx'
import { sections } from '#features/settings/web/setting-sections.ts'
import { AdminFrame } from './admin/admin-frame.tsx'

/** What the operator decides about the product (decisions, Words): one section at a time, which stands in the address. */
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
        {'Panel' in section ? <section.Panel /> : <SettingSectionPanel key={section.value} section={section} />}
      </div>
    </AdminFrame>
  )
}
