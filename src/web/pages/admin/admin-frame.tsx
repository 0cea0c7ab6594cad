import type { ComponentProps, ReactNode } from 'react'
import { InstallationBanner } from '#features/installation/web/installation-banner.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TwoFactorNote } from './two-factor-note.tsx'

interface Props extends ComponentProps<typeof PageHeader> {
  /** A link to the list that the page belongs to. */
  above?: ReactNode
  children: ReactNode
}

/**
 * The content of an admin page: title, notes about the installation and the account, and the page itself. `desk/desk-shell.tsx` renders the frame around it.
 */
export function AdminFrame({ above, children, ...header }: Props) {
  return (
    <div className="desk-page">
      {above}
      <PageHeader {...header} />
      <InstallationBanner />
      <TwoFactorNote />
      {children}
    </div>
  )
}
