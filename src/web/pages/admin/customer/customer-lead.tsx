import { BadgeCheck } from 'lucide-react'
import type { Customer } from '#features/customers/admin-contract.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'

/** Shown below the name of a customer: username, subscription status, email address and last visit. */
export function CustomerLead({ customer: { user, emailVerifiedAt, lastSeenAt } }: { customer: Customer }) {
  return (
    <>
      <span>
        <b>{user.username}</b>
        <StatusBadge status={user.subscriptionStatus} />
      </span>
      <span>
        {user.email}
        {emailVerifiedAt ? (
          <BadgeCheck size={16} aria-label="verified" role="img" />
        ) : (
          <span className="text-sm">(not verified)</span>
        )}
      </span>
      <span>
        {lastSeenAt ? (
          <>
            Last seen <RelativeTime value={lastSeenAt} />
          </>
        ) : (
          'Not logged in now'
        )}
      </span>
    </>
  )
}
