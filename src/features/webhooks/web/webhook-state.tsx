import { StatusBadge } from '#web/ui/status-badge.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import type { WebhookRow } from '../admin-contract.ts'
import { pauseTexts } from '../rules.ts'

/** Shows whether a webhook is active, since when it has been failing or paused, and how many notices are waiting. */
export function WebhookState({ webhook: { pausedAt, pauseReason, failingSince, waiting } }: { webhook: WebhookRow }) {
  return (
    <p className="mt-1 flex flex-wrap items-center gap-2 text-fg-2 text-sm">
      <StatusBadge status={pausedAt ? 'paused' : failingSince ? 'failed' : 'active'} />
      {pausedAt && pauseReason ? (
        <span>
          {pauseTexts[pauseReason]}, <RelativeTime value={pausedAt} />
        </span>
      ) : (
        failingSince && (
          <span>
            First failure <RelativeTime value={failingSince} />, no success since then
          </span>
        )
      )}
      {waiting > 0 && <span>{waiting === 1 ? '1 notice waiting' : `${waiting} notices waiting`}</span>}
    </p>
  )
}
