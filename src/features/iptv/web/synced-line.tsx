import { useSuspenseQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import type { User } from '#features/accounts/contract.ts'
import { getSite } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { connectionsText } from '../rules.ts'

/** A synced account, without its password. */
export function SyncedLine({ user }: { user: User }) {
  const { data: site } = useSuspenseQuery(query(getSite))
  return (
    <div className="mb-6 border-b pb-6">
      <dl className="grid gap-4 sm:grid-cols-2 [&_dd]:font-semibold [&_dd]:wrap-anywhere [&_dt]:text-sm [&_dt]:text-fg-2">
        <div>
          <dt>IPTV username</dt>
          <dd>
            {user.iptvUsername}
            {user.iptvMaxConnections !== null && (
              <span className="block text-sm font-normal text-fg-2">{connectionsText(user.iptvMaxConnections)}</span>
            )}
          </dd>
        </div>
        {user.iptvSyncedAt && (
          <div>
            <dt>Last synced</dt>
            <dd>
              <RelativeTime value={user.iptvSyncedAt} />
            </dd>
          </div>
        )}
      </dl>
      {site.playerUrl && (
        <ButtonAnchor href={site.playerUrl} target="_blank" rel="noopener noreferrer" className="mt-5.5 max-sm:w-full">
          <Play size={18} />
          Open Player<span className="sr-only"> (opens in a new tab)</span>
        </ButtonAnchor>
      )}
    </div>
  )
}
