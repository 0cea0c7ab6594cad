import { format } from 'date-fns'
import {
  listPaymentEvents,
  type PaymentEvent,
  reviewPaymentEvent,
} from '#features/receipts/admin-processor-contract.ts'
import { eventReason, outcomeTexts, processorNames } from '#features/receipts/processor-rules.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/** An event of a payment processor that an administrator has to review. */
export function EventEntry({ event }: { event: PaymentEvent }) {
  const review = useSend(reviewPaymentEvent, [listPaymentEvents])
  const name = event.subject || event.eventId
  const takeOff = () =>
    review.mutate(
      { params: { eventId: event.id } },
      {
        onError: (error) =>
          toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
        onSuccess: () => announce('The event was removed from the list.'),
      },
    )
  return (
    <li className="mailbox-email">
      <p className="font-semibold">
        {processorNames[event.processor]}: {event.type}
      </p>
      <p className="text-sm text-fg-2">
        {name}, {format(new Date(event.receivedAt), 'MMM d, yyyy, h:mm a')}
      </p>
      <p className="text-sm">{event.reason ? eventReason(event.reason) : `${outcomeTexts[event.outcome]}.`}</p>
      <div className="flex flex-wrap gap-2 pt-1">
        <Button size="sm" variant="ghost" pending={review.isPending} onClick={takeOff}>
          Done<span className="sr-only">: {name}</span>
        </Button>
      </div>
    </li>
  )
}
