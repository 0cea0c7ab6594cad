import { Link } from '@tanstack/react-router'
import { ChevronDown, ExternalLink, Keyboard, LogOut, User as Person } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import type { User } from '#features/accounts/contract.ts'
import { useLogout } from '#web/shell/site-layout.tsx'
import { setTheme, type Theme, useTheme } from '#web/shell/theme.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { useSearchKeySwitch } from '#web/ui/table/use-search-key.ts'
import { UserMark } from '#web/ui/user-mark.tsx'
import { Choice } from './choice.tsx'
import { type RowHeight, useRowHeight } from './preferences.ts'
import { useDeskKeys } from './use-desk-keys.ts'

const KeysDialog = lazy(() => import('./keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })))
const menuId = 'desk-account'
const themes: Record<Theme, string> = { light: 'Light', dark: 'Dark', system: 'System' }
const rowHeights: Record<RowHeight, string> = { regular: 'Regular', compact: 'Compact' }

/** The account of the administrator: display settings, shortcuts, links and Logout. */
export function AccountMenu({ user }: { user: Pick<User, 'id' | 'username' | 'email' | 'staff'> }) {
  const { onLogout, loggingOut } = useLogout()
  const theme = useTheme()
  const [rowHeight, setRowHeight] = useRowHeight()
  const [areKeysOn, setKeysOn] = useSearchKeySwitch()
  const menu = useRef<HTMLDivElement>(null)
  const keys = useDeskKeys()
  const close = () => menu.current?.hidePopover()
  const showKeys = () => {
    close()
    keys.show()
  }
  return (
    <>
      <button type="button" className="desk-me" popoverTarget={menuId} aria-haspopup="dialog">
        <UserMark id={user.id} name={user.username} />
        <span className="desk-me-name">{user.username}</span>
        <span className="sr-only"> account menu</span>
        <ChevronDown size={16} />
      </button>
      <div ref={menu} id={menuId} popover="auto" role="dialog" aria-label="Account" className="pop pop-account">
        <p className="pop-head">
          <b>{user.username}</b>
          <span>
            {user.email}, {user.staff?.name ?? 'administrator'}
          </span>
        </p>
        <div className="pop-group">
          <Choice label="Theme" options={themes} value={theme} onChange={setTheme} />
          <Choice label="Rows" options={rowHeights} value={rowHeight} onChange={setRowHeight} />
          <Checkbox
            label="Single-key shortcuts"
            checked={areKeysOn}
            onChange={({ target }) => setKeysOn(target.checked)}
          />
        </div>
        <div className="pop-group">
          <button type="button" className="pop-item" onClick={showKeys}>
            <Keyboard size={18} />
            Keyboard Shortcuts
            <kbd className="kbd">Ctrl /</kbd>
          </button>
          <Link to="/dashboard" className="pop-item" onClick={close}>
            <Person size={18} />
            My Account
          </Link>
          <Link to="/" className="pop-item" onClick={close}>
            <ExternalLink size={18} />
            View Site
          </Link>
        </div>
        <div className="pop-group">
          <button
            type="button"
            className="pop-item"
            aria-disabled={loggingOut}
            onClick={loggingOut ? undefined : onLogout}
          >
            <LogOut size={18} />
            Logout
          </button>
        </div>
      </div>
      <Suspense>{keys.openCount > 0 && <KeysDialog key={keys.openCount} />}</Suspense>
    </>
  )
}
