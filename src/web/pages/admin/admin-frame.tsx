import type { ReactNode } from 'react'
import { InstallationBanner } from '#features/installation/web/installation-banner.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TwoFactorNote } from './two-factor-note.tsx'

interface Props {
  title: string
  /** Buttons beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The content of an admin page: title, notes about the installation and the account, and the page itself. `desk/desk-shell.tsx` is around it. */
export function AdminFrame({ title, actions, children }: Props) {
  return (
    <div className="desk-page">
      <PageHeader title={title} actions={actions} />
      <InstallationBanner />
      <TwoFactorNote />
      {children}
    </div>
  )
}
