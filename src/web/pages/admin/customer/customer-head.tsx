import { BadgeCheck } from 'lucide-react'
import type { Customer } from '#features/customers/admin-contract.ts'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { UserMark } from '#web/ui/user-mark.tsx'
import { CustomerActions } from './customer-actions.tsx'

/** Who the customer is, and what an administrator can do. */
export function CustomerHead({ customer }: { customer: Customer }) {
  const { user, emailVerifiedAt, lastSeenAt } = customer
  return (
    <div className="customer-head">
      <UserMark id={user.id} name={user.username} />
      <div className="customer-names">
        <span className="flex flex-wrap items-center gap-2">
          <b>{user.username}</b>
          <StatusBadge status={user.subscriptionStatus} />
        </span>
        <p>
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
        </p>
      </div>
      <div className="customer-actions">
        <ButtonAnchor variant="line" href={`mailto:${encodeURIComponent(user.email)}`}>
          Email
        </ButtonAnchor>
        <CustomerActions key={user.id} user={user} />
      </div>
    </div>
  )
}
