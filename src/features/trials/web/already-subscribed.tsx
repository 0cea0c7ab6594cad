import type { Instant } from '#kit/dates.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'

export function AlreadySubscribed({ until }: { until: Instant | null }) {
  return (
    <Card title="You Already Have a Subscription" titleId="subscribed-title" aside={<StatusBadge status="active" />}>
      <p className="text-fg-2">
        {until ? (
          <>
            Your plan is active until <DateText value={until} /> and includes everything in a trial.
          </>
        ) : (
          'Your plan includes everything in a trial.'
        )}
      </p>
      <div className="mt-5 flex flex-wrap gap-2.5">
        <ButtonLink to="/dashboard">My Account</ButtonLink>
        <ButtonLink to="/channels" variant="line">
          Browse Channels
        </ButtonLink>
      </div>
    </Card>
  )
}
