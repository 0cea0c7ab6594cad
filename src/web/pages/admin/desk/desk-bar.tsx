import type { ComponentProps } from 'react'
import type { User } from '#features/accounts/contract.ts'
import type { PresentAdministrator } from '#features/desk/admin-presence-contract.ts'
import { Logo } from '#web/brand/logo.tsx'
import { ThemeToggle } from '#web/shell/theme-toggle.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { CommandButton } from '../command-button.tsx'
import { ConnectionStatus } from '../connection-status.tsx'
import { AccountMenu } from './account-menu.tsx'
import { OnlineLink } from './online-link.tsx'
import { PresentAdministrators } from './present-administrators.tsx'

interface Props {
  user: Pick<User, 'id' | 'username' | 'email' | 'staff'>
  brand: ComponentProps<typeof Logo>['brand']
  /** The other administrators at the desk. */
  present: readonly PresentAdministrator[]
}

/** The application bar: search, who is online, theme and account. */
export function DeskBar({ user, brand, present }: Props) {
  return (
    <header className="desk-top">
      <Logo brand={brand} to="/admin/overview" size={30} />
      <CommandButton />
      <div className="desk-top-end">
        <ConnectionStatus />
        <May needs="visitors.read">
          <OnlineLink />
        </May>
        <PresentAdministrators present={present} />
        <span className="desk-rule" />
        <ThemeToggle className="btn-sm desk-theme" />
        <AccountMenu user={user} />
      </div>
    </header>
  )
}
