import { Link } from '@tanstack/react-router'
import { MessageSquareWarning, Receipt, ShieldCheck, Tv } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { PageHeader } from '../../ui/page-header.tsx'
import { type AccountTab, accountEntries } from './account-entries.tsx'

interface Props {
  title: string
  /** A picture before the title. */
  mark?: ReactNode
  lead?: ReactNode
  actions?: ReactNode
  /** The tab list on the My Account page. Without it, the same entries are shown as links. */
  tabs?: ReactNode
  children: ReactNode
}

const linkClass = { className: 'rail-link' }
const current = { className: 'rail-link rail-current' }

/** The layout of the pages of a customer's account. The navigation is beside the content, or above it on narrow screens. */
export function AccountFrame({ title, mark, lead, actions, tabs, children }: Props) {
  const rail = useRef<HTMLDivElement>(null)
  // On narrow screens the rail scrolls sideways and the current entry may be out of view.
  useEffect(() => {
    const row = rail.current
    const entry = row?.querySelector('[aria-selected="true"], [aria-current="page"]')?.getBoundingClientRect()
    if (row && entry)
      row.scrollLeft += entry.left - row.getBoundingClientRect().left - (row.clientWidth - entry.width) / 2
    row?.addEventListener('keydown', moveUpAndDown)
    return () => row?.removeEventListener('keydown', moveUpAndDown)
  }, [])

  return (
    <div className="min-h-[calc(100svh-4.5rem)] bg-sunken">
      <div className="wrap page">
        <PageHeader
          title={title}
          mark={mark}
          lead={lead}
          actions={actions}
          className={mark ? 'page-head-marked' : undefined}
        />
        <div className="account">
          <div className="rail-area" ref={rail}>
            {tabs ?? (
              <nav className="rail" aria-label="My Account">
                {accountEntries.map(({ value, label, icon }, index) => (
                  <Link key={value} to="/dashboard" search={{ tab: tabInUrl(value, index) }} className="rail-link">
                    {icon}
                    {label}
                  </Link>
                ))}
              </nav>
            )}
            <nav className="rail" aria-label="Screens, billing, messages and security">
              <Link to="/screens" inactiveProps={linkClass} activeProps={current}>
                <Tv size={18} />
                Screens
              </Link>
              <Link to="/invoices" inactiveProps={linkClass} activeProps={current}>
                <Receipt size={18} />
                Invoices
              </Link>
              <Link
                to="/messages/{-$ticketId}"
                params={{ ticketId: undefined }}
                inactiveProps={linkClass}
                activeProps={current}
              >
                <MessageSquareWarning size={18} />
                Messages
              </Link>
              <Link to="/security" inactiveProps={linkClass} activeProps={current}>
                <ShieldCheck size={18} />
                Security
              </Link>
            </nav>
          </div>
          <div className="min-w-0">{children}</div>
        </div>
      </div>
    </div>
  )
}

/** The tabs beside the content are a column, so the up and down arrow keys work like left and right. */
function moveUpAndDown(event: KeyboardEvent) {
  const key = event.key === 'ArrowDown' ? 'ArrowRight' : event.key === 'ArrowUp' ? 'ArrowLeft' : undefined
  if (!key || !(event.target as Element).matches('[role="tab"]')) return
  event.preventDefault()
  event.target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

/** Returns the value of `tab` in the URL, which leaves out the default tab. */
const tabInUrl = (tab: AccountTab, index: number) => (index === 0 ? undefined : tab)
