import { Link, useLocation } from '@tanstack/react-router'
import { type DeskPage, isOpen } from './desk-pages.ts'
import { WorkChip } from './work-chip.tsx'

interface Props {
  page: DeskPage
  onOpen?: () => void
}

/** A navigation link with the number of open tasks on its page. */
export function DeskLink({ page, onOpen }: Props) {
  const { label, to, tab, Icon, work } = page
  const isCurrent = useLocation({
    select: ({ pathname, search }) => isOpen(page, pathname, (search as { tab?: unknown }).tab),
  })
  return (
    <Link
      to={to}
      search={(tab ? { tab } : {}) as never}
      // `isOpen` decides which link is current: the router's comparison fails for tabs whose URL also contains a search or filters.
      activeOptions={{ exact: true }}
      activeProps={{}}
      aria-current={isCurrent ? 'page' : undefined}
      className="desk-link"
      title={label}
      onClick={onOpen}
    >
      <Icon size={18} />
      <span className="desk-label">{label}</span>
      {work && <WorkChip kinds={work} />}
    </Link>
  )
}
