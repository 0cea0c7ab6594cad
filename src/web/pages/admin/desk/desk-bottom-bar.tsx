import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { DeskLink } from './desk-link.tsx'
import { useDeskGroups } from './use-desk-groups.ts'

const DeskSheet = lazy(() => import('./desk-sheet.tsx').then((module) => ({ default: module.DeskSheet })))

const shown = 4

/** The navigation on narrow screens: four pages, and a sheet with all of them. */
export function DeskBottomBar({ onLink }: { onLink: () => void }) {
  const all = useDeskGroups().flatMap(({ pages }) => pages)
  // If a role does not include all four main pages, its other pages fill the bar.
  const pages = [...all.filter(({ inBottomBar }) => inBottomBar), ...all.filter(({ inBottomBar }) => !inBottomBar)]
  const [openCount, setOpenCount] = useState(0)
  return (
    <>
      <nav className="desk-tabs" aria-label="Main pages">
        {pages.slice(0, shown).map((page) => (
          <DeskLink key={page.label} page={page} onOpen={onLink} />
        ))}
        <button type="button" className="desk-link" aria-haspopup="dialog" onClick={() => setOpenCount(openCount + 1)}>
          <Menu size={18} />
          <span className="desk-label">More</span>
        </button>
      </nav>
      <Suspense>{openCount > 0 && <DeskSheet key={openCount} onLink={onLink} />}</Suspense>
    </>
  )
}
