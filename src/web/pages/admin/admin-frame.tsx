import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { InstallationBanner } from '#features/installation/web/installation-banner.tsx'
import adminSheet from '#web/styles/administration.css?url'
import { PageHeader } from '#web/ui/page-header.tsx'
import { adminPages } from './admin-pages.ts'
import { CommandButton } from './command-button.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { LineTasks } from './line-tasks.tsx'
import { TwoFactorNote } from './two-factor-note.tsx'

/** The frame of every admin page: title, navigation, connection status and notes. */
export function AdminFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="wrap pt-10 pb-16">
      <link rel="stylesheet" href={adminSheet} precedence="page" />
      <PageHeader
        title={title}
        className="mb-5!"
        actions={
          <>
            <CommandButton />
            <ConnectionStatus />
          </>
        }
      />
      <InstallationBanner />
      <TwoFactorNote />
      {adminPages.length > 0 && (
        <nav aria-label="Administration" className="mb-3">
          <ul className="flex flex-wrap gap-x-5 gap-y-1">
            {[{ to: '/admin' as const, label: 'Admin Panel' }, ...adminPages].map((page) => (
              <li key={page.to}>
                <Link
                  to={page.to}
                  activeOptions={{ exact: true, includeSearch: false }}
                  className="link inline-block py-1.5 aria-[current]:no-underline"
                >
                  {page.label}
                  {page.to === '/admin/lines' && <LineTasks />}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {children}
    </div>
  )
}
