import { useEffect, useState } from 'react'
import { continueTimeGift, type TimeGift, undoTimeGift } from '#features/subscriptions/admin-gift-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Meter } from '#web/ui/meter.tsx'
import { listGivenDays } from '../admin-days-contract.ts'

const customersText = (count: number) => (count === 1 ? '1 customer' : `${count.toLocaleString('en-US')} customers`)
const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/**
 * Shows a gift of days: its progress, the customers who were left out, and the undo button. While it is rendered, it requests the next batches of the
 * gift or of its undo.
 */
export function AdminGiftProgress({ gift }: { gift: TimeGift }) {
  const [isAsking, setAsking] = useState(false)
  const next = useSend(continueTimeGift, [listGivenDays])
  const undo = useSend(undoTimeGift, [listGivenDays])
  const { id, days, reason, state, counts, exceptions } = gift
  const isWorking = state === 'giving' || state === 'undoing'
  const left = state === 'giving' ? counts.waiting : counts.added
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const { mutate, isPending, isError } = next
  useEffect(() => {
    if (isWorking && !isPending && !isError) mutate({ params: { giftId: id } })
  }, [isWorking, isPending, isError, mutate, id])
  const confirm = () => undo.mutate({ params: { giftId: id } }, { onSettled: () => setAsking(false) })
  return (
    <li className="grid gap-2 py-2.5">
      <span className="wrap-anywhere">
        <b className="font-semibold">{daysText(days)}</b> to{' '}
        {customersText(counts.added + counts.kept + counts.waiting)}: {reason}
        {counts.undone > 0 && `. Taken back from ${customersText(counts.undone)}`}
      </span>
      <span role="status">
        {isWorking && (
          <Meter
            value={total - left}
            max={total}
            label={`${state === 'giving' ? 'Giving' : 'Taking back'}: ${left.toLocaleString('en-US')} left`}
            start={state === 'giving' ? 'Giving' : 'Taking back'}
            end={`${left.toLocaleString('en-US')} left`}
          />
        )}
      </span>
      {exceptions.length > 0 && (
        <details>
          <summary className="cursor-pointer">
            {customersText(counts.skipped + counts.kept)}{' '}
            {state === 'undone' ? 'kept the days or got none' : 'got none'}
          </summary>
          <ul className="mt-1 grid gap-1 text-sm text-fg-2">
            {exceptions.map((each) => (
              <li key={each.userId} className="wrap-anywhere">
                {each.username}: {each.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {(next.error ?? undo.error) && <FormError message={messageOf((next.error ?? undo.error)!)} />}
      {isError && (
        <Button size="sm" variant="line" onClick={() => mutate({ params: { giftId: id } })}>
          Continue
        </Button>
      )}
      {(state === 'giving' || state === 'given') && counts.added + counts.waiting > 0 && (
        <span>
          <Button size="sm" variant="line" onClick={() => setAsking(true)}>
            Take Days Back
          </Button>
        </span>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Take ${daysText(days)} back from ${customersText(counts.added)}?`}
        description="Their subscriptions end at the previous dates again. Customers whose plan has changed in the meantime keep the days."
        action="Take Back"
        pending={undo.isPending}
        onConfirm={confirm}
      />
    </li>
  )
}
