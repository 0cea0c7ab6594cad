import { useSuspenseQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { currentUser } from '../contract.ts'

export function ProfileCard() {
  const { data: user } = useSuspenseQuery(query(currentUser))
  if (!user) return null
  return (
    <Card title="Profile Information" titleId="profile-title">
      <dl className="grid gap-3.5 *:flex *:justify-between *:gap-4 [&_dd]:min-w-0 [&_dd]:text-right [&_dd]:font-semibold [&_dd]:wrap-anywhere [&_dt]:text-fg-2">
        <div>
          <dt>Username</dt>
          <dd>{user.username}</dd>
        </div>
        <div>
          <dt>Email</dt>
          <dd>{user.email}</dd>
        </div>
        {user.fullName && (
          <div>
            <dt>Full name</dt>
            <dd>{user.fullName}</dd>
          </div>
        )}
        <div>
          <dt>Member since</dt>
          <dd>
            <RelativeTime value={user.createdAt} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}
