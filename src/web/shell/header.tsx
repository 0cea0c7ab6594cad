import { useLocation } from '@tanstack/react-router'
import { Menu, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ButtonLink } from '#web/ui/button-link.tsx'
import { type Brand, Logo } from './logo.tsx'
import { NavLinks } from './nav-links.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

interface Props {
  user: { username: string; role: 'user' | 'admin' } | null
  brand: Brand
  onLogout: () => void
  /** The logout call is under way. */
  loggingOut?: boolean
  /** While paying: logo, help and account, nothing to wander off to. */
  slim?: boolean
}

const menuId = 'site-menu'

export function Header({ user, brand, onLogout, loggingOut = false, slim = false }: Props) {
  const [open, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const href = useLocation({ select: (location) => location.href })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address closes the menu, however it came about
  useEffect(() => setOpen(false), [href])

  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    setOpen(false)
    toggle.current?.focus()
  }
  // A link to the page one is on changes no address.
  const closeOnLink = (event: MouseEvent) => {
    if ((event.target as Element).closest('a')) setOpen(false)
  }
  const logout = (
    <Button variant="ghost" pending={loggingOut} onClick={onLogout}>
      Logout
    </Button>
  )

  return (
    <header className="top stage" onKeyDown={closeOnEscape}>
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
          {user ? (
            <>
              {user.role === 'admin' && !slim && (
                <ButtonLink to="/admin" variant="ghost" className="top-wide">
                  Admin
                </ButtonLink>
              )}
              <ButtonLink to="/dashboard" variant="line">
                My Account
              </ButtonLink>
              {!slim && <span className="top-wide">{logout}</span>}
            </>
          ) : (
            <>
              <ButtonLink to="/auth" variant="ghost" className={slim ? undefined : 'top-wide'}>
                Login
              </ButtonLink>
              {!slim && (
                <ButtonLink to="/contact" className="top-cta">
                  Subscribe Now
                </ButtonLink>
              )}
            </>
          )}
          <ThemeToggle className="top-theme" />
          {!slim && (
            <Button
              ref={toggle}
              variant="line"
              icon
              className="top-burger"
              aria-label={open ? 'Close menu' : 'Open menu'}
              aria-expanded={open}
              aria-controls={menuId}
              onClick={() => setOpen(!open)}
            >
              {open ? <X size={20} /> : <Menu size={20} />}
            </Button>
          )}
        </div>
      </div>
      {!slim && (
        <div id={menuId} className="top-menu" hidden={!open} onClick={closeOnLink}>
          <nav className="wrap" aria-label="Menu">
            <NavLinks />
            <div className="top-menu-end">
              {user ? (
                <>
                  <ButtonLink to="/dashboard" variant="line" wide>
                    My Account
                  </ButtonLink>
                  {user.role === 'admin' && (
                    <ButtonLink to="/admin" variant="line" wide>
                      Admin
                    </ButtonLink>
                  )}
                  {logout}
                </>
              ) : (
                <>
                  <ButtonLink to="/auth" variant="line" wide>
                    Login / Register
                  </ButtonLink>
                  <ButtonLink to="/contact" wide>
                    Subscribe Now
                  </ButtonLink>
                </>
              )}
              <ThemeToggle />
            </div>
          </nav>
        </div>
      )}
    </header>
  )
}
