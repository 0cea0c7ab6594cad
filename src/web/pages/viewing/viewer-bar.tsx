import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, Bookmark, CalendarDays, MonitorPlay, MonitorSmartphone, User } from 'lucide-react'
import { useReminderToasts } from '#features/guide/web/use-reminder-toasts.ts'
import { getWatch, listPlays } from '#features/watch/contract.ts'
import { OpenEyes } from '../../brand/open-eyes.tsx'
import { query } from '../../data.ts'

const links = [
  { to: '/watch', label: 'Live TV', icon: MonitorPlay },
  { to: '/guide', label: 'Guide', icon: CalendarDays },
  { to: '/dashboard', search: { tab: 'watchlist' }, label: 'Watchlist', icon: Bookmark },
  { to: '/screens', label: 'Screens', icon: MonitorSmartphone },
  // Shown only in the tab bar on phones: wide windows have this link in the header.
  { to: '/dashboard', label: 'Account', icon: User, className: 'viewer-account' },
] as const

interface Props {
  here: '/watch' | '/guide' | '/check'
  /** The channel that the page shows. The link to the self-check preselects it. */
  channelId?: number | undefined
}

/** The row below the header of the viewing pages: links, and the number of screens in use. On phones it is a tab bar at the bottom edge. */
export function ViewerBar({ here, channelId }: Props) {
  useReminderToasts()
  const { data: watch } = useQuery(query(getWatch))
  const { data: plays = [] } = useQuery(query(listPlays))
  const screens = watch?.screens ?? 0
  return (
    <nav className="viewer-bar stage" aria-label="Viewing">
      <ul>
        {links.map(({ to, label, icon: Icon, ...link }) => (
          <li key={label} className={'className' in link ? link.className : undefined}>
            <Link
              to={to as never}
              search={('search' in link ? link.search : {}) as never}
              aria-current={to === here ? 'page' : undefined}
            >
              <Icon size={18} aria-hidden="true" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <ul className="viewer-end">
        {screens > 0 && (
          <li>
            <Link to={'/screens' as never}>
              <OpenEyes total={screens} open={plays.length} size={30} />
              <span>
                <span className="num">
                  {plays.length} of {screens}
                </span>
                <span className="viewer-long"> {screens === 1 ? 'screen' : 'screens'} in use</span>
              </span>
            </Link>
          </li>
        )}
        <li>
          <Link
            to={'/check' as never}
            search={(channelId ? { channel: channelId } : {}) as never}
            aria-current={here === '/check' ? 'page' : undefined}
          >
            <Activity size={18} aria-hidden="true" />
            Is it me or you?
          </Link>
        </li>
      </ul>
    </nav>
  )
}
