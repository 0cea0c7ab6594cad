import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { type Delivery, listDeliveries } from '../admin-contract.ts'
import { noticeText, reasonText } from '../rules.ts'

/** The newest deliveries of a webhook, with the outcome of the last attempt. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const deliveries = useQuery(query(listDeliveries, { params: { webhookId } }))
  const { data, error } = deliveries
  if (error && !data)
    return (
      <ErrorState
        title="Error loading data"
        message={messageOf(error)}
        pending={deliveries.isFetching}
        onRetry={() => void deliveries.refetch()}
      />
    )
  if (!data)
    return (
      <div role="status">
        <span className="sr-only">Loading…</span>
        <Skeleton className="h-40" />
      </div>
    )
  if (data.length === 0) return <EmptyState>No notices yet. Send a test to check the address.</EmptyState>
  return (
    <ul className="grid gap-4" aria-label="Latest deliveries">
      {data.map((delivery) => (
        <li key={delivery.id} className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <p>
              <b className="font-semibold">{noticeText(delivery.kind)}</b>
              {delivery.subjectId !== null && <span className="num text-fg-2"> #{delivery.subjectId}</span>}
            </p>
            <p className="text-fg-2 text-sm">
              <RelativeTime value={delivery.createdAt} />
              {delivery.attempts > 1 && `, ${delivery.attempts} attempts`}
              {delivery.responseStatus !== null && `, HTTP ${delivery.responseStatus}`}
            </p>
            <Outcome delivery={delivery} />
          </div>
          <StatusBadge status={delivery.status} />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ delivery: { reason, dueAt, attempts } }: { delivery: Delivery }) {
  if (reason === null) return null
  return (
    <p className="wrap-anywhere text-fg-2 text-sm">
      {reasonText(reason)}
      {dueAt !== null && attempts > 0 && (
        <>
          ; next attempt <RelativeTime value={dueAt} />
        </>
      )}
    </p>
  )
}
