import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminAnnouncement } from '../admin-contract.ts'
import { audienceNames, durationText, kindNames, minutesFor } from '../rules.ts'

export type AnnouncementAction = 'review' | 'edit' | 'delete' | 'withdraw'
interface Props {
  announcement: AdminAnnouncement
  onAct: (action: AnnouncementAction, announcement: AdminAnnouncement, button: HTMLElement) => void
}

/** An announcement in the admin list, with the progress of its emails. */
export function AdminAnnouncementItem({ announcement, onAct }: Props) {
  const { id, title, kind, state, audience, isShown, siteUntil, createdAt, publishedAt, withdrawnAt } = announcement
  const progress = emailProgress(announcement)
  const actions: [AnnouncementAction, string][] =
    state === 'draft'
      ? [
          ['edit', 'Edit'],
          ['delete', 'Delete'],
        ]
      : state === 'published'
        ? [['withdraw', 'Withdraw']]
        : []
  return (
    <li id={`announcement-${id}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="flex flex-wrap items-center gap-2">
          <b className="font-semibold">{title}</b>
          <Badge variant={state === 'published' ? 'secondary' : 'neutral'}>
            {state === 'draft' ? 'Draft' : state === 'published' ? kindNames[kind] : 'Withdrawn'}
          </Badge>
          {isShown && <Badge variant="default">On the site</Badge>}
        </span>
        <span className="block text-sm text-fg-2">
          {audienceNames[audience]}. {state === 'draft' ? 'Saved' : state === 'published' ? 'Published' : 'Withdrawn'}{' '}
          <DateText value={withdrawnAt ?? publishedAt ?? createdAt} look="minute" />
          {isShown && siteUntil && (
            <>
              , shown until <DateText value={siteUntil} look="minute" />
            </>
          )}
        </span>
        {progress && <span className="block text-sm text-fg-2">{progress}</span>}
      </span>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" variant="soft" onClick={({ currentTarget }) => onAct('review', announcement, currentTarget)}>
          {state === 'draft' ? 'Review' : 'Show'}
          <span className="sr-only"> {title}</span>
        </Button>
        <May needs="announcements.edit">
          {actions.map(([action, label]) => (
            <Button
              key={action}
              size="sm"
              variant="line"
              onClick={({ currentTarget }) => onAct(action, announcement, currentTarget)}
            >
              {label}
              <span className="sr-only"> {title}</span>
            </Button>
          ))}
        </May>
      </span>
    </li>
  )
}

function emailProgress({ emails, state, counts, perHour }: AdminAnnouncement): string | undefined {
  if (!emails || state === 'draft') return undefined
  const { waiting, emailed, skipped, unsubscribed } = counts
  const parts = [
    `${emailed.toLocaleString('en-US')} of ${(waiting + emailed + skipped).toLocaleString('en-US')} emailed`,
    waiting > 0 && `the rest within ${durationText(minutesFor(waiting, perHour))}`,
    skipped > 0 && `${skipped.toLocaleString('en-US')} left out`,
    unsubscribed > 0 && `${unsubscribed.toLocaleString('en-US')} unsubscribed`,
  ]
  return parts.filter(Boolean).join(', ')
}
