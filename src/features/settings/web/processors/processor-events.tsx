import type { ProcessorState } from '#features/receipts/admin-processor-contract.ts'
import { eventReason, outcomeTexts, processorNames, refusalText } from '#features/receipts/processor-rules.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'

/** Shows whether events arrive: the latest events, and the latest request that was refused. */
export function ProcessorEvents({ stored: { name, enabled, events, refused } }: { stored: ProcessorState }) {
  const title = processorNames[name]
  const [latest] = events
  const isRefusedLast = refused && (!latest || refused.at > latest.receivedAt)
  return (
    <Card title={`Latest Events from ${title}`} heading="h3">
      <div className="grid max-w-160 gap-4">
        {isRefusedLast && (
          <Note tone="warn">
            A request was refused <RelativeTime value={refused.at} />: {refusalText(refused.refusal)}. Anyone can send
            requests; if {title} reports failures, compare the signing secret.
          </Note>
        )}
        {events.length === 0 ? (
          <EmptyState>
            {enabled ? `No event has arrived yet. Send a test event from ${title}.` : 'Events are not received.'}
          </EmptyState>
        ) : (
          <ul className="grid gap-3" aria-label={`Latest events from ${title}`}>
            {events.map((event) => (
              <li key={event.id} className="mailbox-email">
                <p>
                  <b className="font-semibold">{outcomeTexts[event.outcome]}</b>
                  <span className="text-fg-2">
                    : {event.type}, <RelativeTime value={event.receivedAt} />
                  </span>
                </p>
                {event.reason && <p className="text-sm text-fg-2">{eventReason(event.reason)}</p>}
                <p className="num text-sm text-fg-2">{event.subject || event.eventId}</p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}
