import { useRef, useState } from 'react'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { DeskLink } from './desk-link.tsx'
import { useDeskGroups } from './use-desk-groups.ts'

/** A dialog with links to all pages of the admin area, for narrow screens. Remounted for every opening. */
export function DeskSheet({ onLink }: { onLink: () => void }) {
  const [open, setOpen] = useState(true)
  const groups = useDeskGroups()
  const isLeaving = useRef(false)
  const follow = () => {
    isLeaving.current = true
    onLink()
    setOpen(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="All pages"
      sheet
      // After a navigation the heading of the new page gets the focus.
      {...(isLeaving.current && { returnTo: () => document.querySelector<HTMLElement>('main h1') })}
    >
      {groups.map(({ label, pages }) => (
        <section key={pages[0]!.label} aria-label={label ?? 'Start'} className="desk-sheet-group">
          {label && <p className="desk-group">{label}</p>}
          <ul>
            {pages.map((page) => (
              <li key={page.label}>
                <DeskLink page={page} onOpen={follow} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  )
}
