import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import {
  Banknote,
  Cable,
  Check,
  CreditCard,
  Flag,
  Hourglass,
  type LucideIcon,
  MessageSquare,
  Receipt,
  Settings,
  Undo2,
  User,
} from 'lucide-react'
import { activityLink, sentenceOf } from '#features/desk/activity-rules.ts'
import { type ActivityEntry, getActivity } from '#features/desk/admin-overview-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { formatShortClock } from './format-clock.ts'

const skeletons = [1, 2, 3, 4, 5, 6, 7, 8]
const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** The latest events, newest first. */
export function ActivityCard() {
  const activity = useQuery(query(getActivity))
  const { data, error } = activity
  const now = new Date()
  return (
    <section className="card desk-card" aria-labelledby="activity-heading">
      <div className="desk-card-head">
        <h2 id="activity-heading">Activity</h2>
      </div>
      {error && !data ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={activity.isFetching}
          onRetry={() => void activity.refetch()}
        />
      ) : !data ? (
        <div role="status" className="desk-card-body grid gap-3">
          <span className="sr-only">Loading</span>
          {skeletons.map((each) => (
            <Skeleton key={each} className="h-6" />
          ))}
        </div>
      ) : data.length === 0 ? (
        <p className="desk-card-body text-fg-2">Nothing has happened yet.</p>
      ) : (
        <ol className="activity desk-card-body">
          {data.map((entry) => (
            <ActivityRow key={entry.key} entry={entry} now={now} />
          ))}
        </ol>
      )}
      <p className="desk-card-foot">
        <Link to="/admin/audit" className="link">
          Open the audit log
        </Link>
      </p>
    </section>
  )
}

const icons: Record<string, [LucideIcon, tone?: 'ok' | 'warn' | 'info' | 'bad']> = {
  registration: [User],
  payment: [Banknote, 'info'],
  card_order: [CreditCard],
  trial: [Hourglass],
  report: [Flag, 'warn'],
  inquiry: [MessageSquare],
  'invoice.confirm': [Check, 'ok'],
  'invoice.reject': [Banknote, 'bad'],
  invoice: [Receipt],
  refund: [Undo2],
  line: [Cable],
  user: [User],
  subscription: [User],
}
const iconOf = ({ event, action }: ActivityEntry) =>
  icons[event] ?? icons[action] ?? icons[action.split('.', 1)[0] ?? ''] ?? ([Settings] as const)

function ActivityRow({ entry, now }: { entry: ActivityEntry; now: Date }) {
  const [Icon, tone] = iconOf(entry)
  const at = new Date(entry.at)
  const link = activityLink(entry)
  return (
    <li>
      <span className="activity-icon" data-tone={tone} aria-hidden="true">
        <Icon size={13} />
      </span>
      <span className="wrap-anywhere">
        {sentenceOf(entry).map(({ text, kind }) =>
          kind === 'link' ? (
            <Link key={text} {...(link as LinkProps)} className="activity-link">
              {text}
            </Link>
          ) : kind === 'strong' ? (
            <b key={text}>{text}</b>
          ) : (
            text
          ),
        )}
      </span>
      <time dateTime={entry.at} title={full.format(at)} className="num">
        {formatShortClock(at, now)}
      </time>
    </li>
  )
}
