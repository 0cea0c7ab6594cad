import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Activity, Bookmark, CalendarDays, MonitorPlay } from 'lucide-react'
import { useReminderToasts } from '#features/guide/web/use-reminder-toasts.ts'
import { getWatch, listPlays } from '#features/watch/contract.ts'
import { query } from '../../data.ts'

const links = [
  { to: '/watch', label: 'Live TV', icon: MonitorPlay },
  { to: '/guide', label: 'Guide', icon: CalendarDays },
  { to: '/dashboard', search: { tab: 'watchlist' }, label: 'Watchlist', icon: Bookmark },
  { to: '/check', label: 'Is it me or you?', short: 'Check', icon: Activity },
] as const

interface Props {
  here: '/watch' | '/guide' | '/check'
  /** The channel that the page shows, which a check begins with. */
  channelId?: number | undefined
}

/** The row of the viewing pages below the header: links, and the screens in use. On phones it is a tab bar at the bottom edge. */
export function ViewerBar({ here, channelId }: Props) {
  useReminderToasts()
  const { data: watch } = useQuery(query(getWatch))
  const { data: plays = [] } = useQuery(query(listPlays))
  return (
    <div className="viewer-bar stage">
      <nav aria-label="Viewing">
        <ul>
          {links.map(({ to, label, icon: Icon, ...link }) => (
            <li key={to}>
              <Link
                to={to as never}
                search={
                  ('search' in link ? link.search : to === '/check' && channelId ? { channel: channelId } : {}) as never
                }
                aria-current={to === here ? 'page' : undefined}
              >
                <Icon size={18} aria-hidden="true" />
                {'short' in link ? (
                  <>
                    <span className="viewer-long">{label}</span>
                    <span className="viewer-short" aria-hidden="true">
                      {link.short}
                    </span>
                  </>
                ) : (
                  label
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {watch && watch.channels.length > 0 && (
        <span className="viewer-screens num">
          {plays.length} of {watch.screens} {watch.screens === 1 ? 'screen' : 'screens'} in use
        </span>
      )}
    </div>
  )
}
