import { Menu } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { DeskLink } from './desk-link.tsx'
import { deskPages } from './desk-pages.ts'

const DeskSheet = lazy(() => import('./desk-sheet.tsx').then((module) => ({ default: module.DeskSheet })))

/** The navigation on narrow screens: four pages, and a sheet with all of them. */
export function DeskBottomBar({ onLink }: { onLink: () => void }) {
  const [openCount, setOpenCount] = useState(0)
  return (
    <>
      <nav className="desk-tabs" aria-label="Main pages">
        {deskPages
          .filter(({ inBottomBar }) => inBottomBar)
          .map((page) => (
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
