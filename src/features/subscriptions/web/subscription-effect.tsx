import { connectionsText } from '#features/iptv/rules.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { SubscriptionState } from '../rules.ts'

interface Props {
  before: SubscriptionState
  after: SubscriptionState
  planName: (planId: number | null) => string
}

/** Compares the current subscription with the edited one; changed rows are highlighted. */
export function SubscriptionEffect({ before, after, planName }: Props) {
  const connections = ({ maxConnections }: SubscriptionState) =>
    maxConnections === null ? '-' : connectionsText(maxConnections)
  const lines = [
    {
      label: 'Plan',
      now: planName(before.planId),
      next: planName(after.planId),
      differs: before.planId !== after.planId,
    },
    {
      label: 'Status',
      now: <StatusBadge status={before.status} />,
      next: <StatusBadge status={after.status} />,
      differs: before.status !== after.status,
    },
    {
      label: 'Start',
      now: <DateText value={before.startDate} />,
      next: <DateText value={after.startDate} />,
      differs: before.startDate !== after.startDate,
    },
    {
      label: 'End',
      now: <DateText value={before.endDate} />,
      next: <DateText value={after.endDate} />,
      differs: before.endDate !== after.endDate,
    },
    {
      label: 'Connections',
      now: connections(before),
      next: connections(after),
      differs: before.maxConnections !== after.maxConnections,
    },
  ]
  return (
    <table className="effect" aria-label="What changes">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col">Now</th>
          <th scope="col">After saving</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ label, now, next, differs }) => (
          <tr key={label} data-differs={differs || undefined}>
            <th scope="row">{label}</th>
            <td>{now}</td>
            <td>{differs ? next : <span className="text-fg-2">unchanged</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
