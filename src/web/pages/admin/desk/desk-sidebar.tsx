import { PanelLeft } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Logo } from '#web/brand/logo.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { DeskHealth } from './desk-health.tsx'
import { DeskLink } from './desk-link.tsx'
import { useSidebar } from './preferences.ts'
import { useDeskGroups } from './use-desk-groups.ts'

interface Props {
  brand: ComponentProps<typeof Logo>['brand']
  /** Called when a navigation link is followed. */
  onLink: () => void
}

/** The navigation of the admin area with the counts of waiting work, and the state of the installation. */
export function DeskSidebar({ brand, onLink }: Props) {
  const { isMini, toggle } = useSidebar()
  const groups = useDeskGroups()
  const action = isMini ? 'Expand the sidebar' : 'Collapse the sidebar'
  return (
    <nav className="desk-side" aria-label="Administration">
      <div className="desk-side-head">
        <Logo brand={brand} to="/admin/overview" size={30} />
        <Button
          variant="ghost"
          size="sm"
          icon
          aria-label={action}
          aria-expanded={!isMini}
          aria-controls="desk-nav"
          aria-keyshortcuts="Control+B Meta+B"
          title={`${action} (Ctrl B)`}
          onClick={toggle}
        >
          <PanelLeft size={18} />
        </Button>
      </div>
      <div id="desk-nav" className="desk-nav">
        {groups.map(({ label, pages }, index) => (
          <div key={pages[0]!.label}>
            {label && (
              <p id={`desk-group-${index}`} className="desk-group">
                {label}
              </p>
            )}
            <ul aria-labelledby={label && `desk-group-${index}`}>
              {pages.map((page) => (
                <li key={page.label}>
                  <DeskLink page={page} onOpen={onLink} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <DeskHealth />
    </nav>
  )
}
