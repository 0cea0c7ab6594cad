import type { ComponentProps } from 'react'
import type { User } from '#features/accounts/contract.ts'
import { Logo } from '#web/brand/logo.tsx'
import { ThemeToggle } from '#web/shell/theme-toggle.tsx'
import { CommandButton } from '../command-button.tsx'
import { ConnectionStatus } from '../connection-status.tsx'
import { AccountMenu } from './account-menu.tsx'
import { OnlineLink } from './online-link.tsx'

interface Props {
  user: Pick<User, 'id' | 'username' | 'email'>
  brand: ComponentProps<typeof Logo>['brand']
}

/** The application bar: search, who is online, theme and account. */
export function DeskBar({ user, brand }: Props) {
  return (
    <header className="desk-top">
      <Logo brand={brand} to="/admin/overview" size={30} />
      <CommandButton />
      <div className="desk-top-end">
        <ConnectionStatus />
        <OnlineLink />
        <span className="desk-rule" />
        <ThemeToggle className="btn-sm desk-theme" />
        <AccountMenu user={user} />
      </div>
    </header>
  )
}
