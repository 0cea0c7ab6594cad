import { Menu, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Brand, Logo } from '../brand/logo.tsx'
import { Button } from '../ui/button/button.tsx'
import { ButtonLink } from '../ui/button/button-link.tsx'
import { NavLinks } from './nav-links.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import { useMenu } from './use-menu.ts'

interface Props {
  user: { username: string; role: 'user' | 'admin' } | null
  brand: Brand
  onLogout: () => void
  /** The logout request is pending. */
  loggingOut?: boolean
  /** During checkout: shows only the logo, help and account. */
  slim?: boolean
  /** The Watch button, for members who can watch. It has the position of Subscribe Now. */
  watch?: ReactNode
}

const menuId = 'site-menu'

export function Header({ user, brand, onLogout, loggingOut = false, slim = false, watch }: Props) {
  const menu = useMenu()
  const logout = (
    <Button variant="ghost" pending={loggingOut} onClick={onLogout}>
      Logout
    </Button>
  )

  return (
    <header className="top stage">
      <div className="wrap top-bar">
        <Logo brand={brand} />
        {!slim && (
          <nav className="top-nav" aria-label="Main">
            <NavLinks />
          </nav>
        )}
        <div className="top-end">
          {slim && (
            <ButtonLink to="/faq" variant="ghost">
              Help
            </ButtonLink>
          )}
          {user?.role === 'admin' && !slim && (
            <ButtonLink to="/admin" variant="ghost" className="top-wide">
              Admin
            </ButtonLink>
          )}
          {!slim && watch}
          {user && (
            <ButtonLink to="/dashboard" variant="line" className={slim ? undefined : 'top-cta'}>
              My Account
            </ButtonLink>
          )}
          {user && !slim && <span className="top-wide">{logout}</span>}
          {!user && (
            <ButtonLink to="/auth" variant="ghost" className={slim ? undefined : 'top-wide'}>
              Login
            </ButtonLink>
          )}
          {!user && !slim && (
            <ButtonLink to="/contact" className="top-cta">
              Subscribe Now
            </ButtonLink>
          )}
          <ThemeToggle className="top-theme" />
          {!slim && (
            <Button
              ref={menu.button}
              variant="line"
              icon
              className="top-burger"
              aria-label={menu.open ? 'Close menu' : 'Open menu'}
              aria-expanded={menu.open}
              aria-controls={menuId}
              onClick={menu.toggle}
            >
              {menu.open ? <X size={20} /> : <Menu size={20} />}
            </Button>
          )}
        </div>
      </div>
      {/* The closed menu is empty: its links would be a twentieth of the HTML of a page, and it cannot be opened without scripts. */}
      {!slim && (
        <div id={menuId} ref={menu.panel} className="top-menu" hidden={!menu.open}>
          {menu.open && (
            <nav className="wrap" aria-label="Menu">
              <NavLinks />
              <div className="top-menu-end">
                {user && (
                  <ButtonLink to="/dashboard" variant="line" wide>
                    My Account
                  </ButtonLink>
                )}
                {user?.role === 'admin' && (
                  <ButtonLink to="/admin" variant="line" wide>
                    Admin
                  </ButtonLink>
                )}
                {user && logout}
                {!user && (
                  <ButtonLink to="/auth" variant="line" wide>
                    Login / Register
                  </ButtonLink>
                )}
                {!user && (
                  <ButtonLink to="/contact" wide>
                    Subscribe Now
                  </ButtonLink>
                )}
                <ThemeToggle />
              </div>
            </nav>
          )}
        </div>
      )}
    </header>
  )
}
