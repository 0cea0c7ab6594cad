import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { IptvForm } from './iptv-form.tsx'
import { SyncedLine } from './synced-line.tsx'

/** The IPTV Account tab of My Account. */
export function IptvPanel() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  return (
    <Card
      title="IPTV Account"
      titleId="iptv-title"
      aside={<StatusBadge status={user.iptvSynced ? 'synced' : 'not_synced'} />}
    >
      {user.iptvSynced ? (
        <SyncedLine user={user} />
      ) : (
        <p className="mb-5.5 max-w-[60ch] text-fg-2">
          Enter the username and password of your IPTV account. Both are checked with the IPTV service before they are
          saved.
        </p>
      )}
      <IptvForm user={user} />
    </Card>
  )
}
