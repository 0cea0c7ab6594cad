import type { ReactNode } from 'react'
import { RoleBadge } from '#features/accounts/web/role-badge.tsx'
import type { Customer } from '#features/customers/admin-contract.ts'
import { Card } from '#web/ui/card.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import { DateText } from '../../../ui/time/date-text.tsx'
import { RelativeTime } from '../../../ui/time/relative-time.tsx'

const detailsClass =
  'grid gap-3 *:flex *:justify-between *:gap-4 [&_dd]:min-w-0 [&_dd]:text-right [&_dd]:wrap-anywhere [&_dt]:text-fg-2'

export function CustomerProfile({ customer }: { customer: Customer }) {
  const { user, emailVerifiedAt, sessions, lastSeenAt, referredBy, referred } = customer
  return (
    <Card title="Profile" titleId="customer-profile" aside={<RoleBadge role={user.role} />}>
      <dl className={detailsClass}>
        <Detail label="ID">
          <span className="num">{user.id}</span>
        </Detail>
        <Detail label="Email">
          {user.email} <span className="text-fg-2">({emailVerifiedAt ? 'verified' : 'not verified'})</span>
        </Detail>
        <Detail label="Full Name">{user.fullName ?? '-'}</Detail>
        <Detail label="Created At">
          <DateText value={user.createdAt} />
        </Detail>
        <Detail label="Password">
          {user.mustChangePassword ? 'Set by an administrator, must be changed' : 'Set by the customer'}
        </Detail>
        <Detail label="Open sessions">
          <span className="num">{sessions}</span>
          {lastSeenAt && (
            <span className="text-fg-2">
              , last seen <RelativeTime value={lastSeenAt} />
            </span>
          )}
        </Detail>
        <Detail label="Referral code">
          <span className="num">{user.referralCode}</span>
        </Detail>
        <Detail label="Referred by">{referredBy ? <UserLink {...referredBy} /> : '-'}</Detail>
        <Detail label="Customers referred">
          <span className="num">{referred}</span>
        </Detail>
      </dl>
    </Card>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
