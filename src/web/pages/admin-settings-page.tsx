import { Link, useSearch } from '@tanstack/react-router'
import { sections } from '#features/settings/web/setting-sections.ts'
import { SettingsSection } from '#features/settings/web/settings-section.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

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
        {'Content' in section ? <section.Content /> : <SettingsSection key={section.value} section={section} />}
      </div>
    </AdminFrame>
  )
}
