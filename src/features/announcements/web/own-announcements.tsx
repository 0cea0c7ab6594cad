import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { listOwnAnnouncements } from '../contract.ts'

/** The announcements for a customer, to read again; renders nothing if there are none. */
export function OwnAnnouncements() {
  const { data = [] } = useQuery(query(listOwnAnnouncements))
  if (data.length === 0) return null
  return (
    <Card title="Announcements" titleId="announcements-title" className="mt-5" flush>
      <ul className="divide-y divide-line">
        {data.map(({ id, title, summary, body, linkLabel, linkPath, publishedAt }) => (
          <li key={id} className="px-4.5 py-4 wrap-anywhere sm:px-6">
            <h3 className="text-base">{title}</h3>
            <p className="text-sm text-fg-2">
              <RelativeTime value={publishedAt} />
            </p>
            <p className="mt-1.5">{summary}</p>
            {body && <p className="mt-1.5 whitespace-pre-line">{body}</p>}
            {linkPath && (
              <p className="mt-1.5">
                <Link to={linkPath as never} className="link">
                  {linkLabel}
                </Link>
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
