import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { IptvForm } from './iptv-form.tsx'
import { SyncedLine } from './synced-line.tsx'

interface Props {
  /** Whether the customer's line is being created. If so, the form is collapsed, because most customers have no other credentials. */
  awaitsLine: boolean
}

/** The customer's IPTV account: one that they entered, or the line that was created for them. */
export function IptvPanel({ awaitsLine }: Props) {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  const form = (
    <>
      {!user.iptvSynced && (
        <p className="mb-5.5 max-w-[60ch] text-fg-2">
          Enter the username and password of your IPTV account. Both are checked with the IPTV service before they are
          saved.
        </p>
      )}
      <IptvForm user={user} />
    </>
  )
  return (
    <Card
      title="IPTV Account"
      titleId="iptv-title"
      aside={<StatusBadge status={user.iptvSynced ? 'synced' : 'not_synced'} />}
    >
      {user.iptvSynced && <SyncedLine user={user} />}
      {awaitsLine && !user.iptvSynced ? (
        <details>
          <summary className="link cursor-pointer font-semibold">I already have a login</summary>
          <div className="mt-4">{form}</div>
        </details>
      ) : (
        form
      )}
    </Card>
  )
}
