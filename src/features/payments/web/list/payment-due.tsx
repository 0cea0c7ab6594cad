import { formatTimeLeft, urgencyOf } from '#features/desk/rules.ts'
import { useNow } from '#web/ui/time/use-now.ts'

/** Shows how much of the promised time is left for an open payment. Renders nothing on the server. */
export function PaymentDue({ since, promiseMinutes }: { since: string; promiseMinutes: number }) {
  const now = useNow()
  if (!now) return null
  const began = new Date(since)
  return (
    <p className="queue-due num text-sm" data-urgency={urgencyOf(promiseMinutes, began, now)}>
      {formatTimeLeft(promiseMinutes, began, now)}, promised within {promised(promiseMinutes)}
    </p>
  )
}

const promised = (minutes: number) => (minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`)
