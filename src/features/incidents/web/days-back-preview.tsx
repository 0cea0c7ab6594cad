import type * as z from 'zod/mini'
import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { previewGivenDays } from '../admin-days-contract.ts'

interface Props {
  preview: {
    data: z.output<(typeof previewGivenDays)['output']> | undefined
    isReady: boolean
    error: Error | null
    isFetching: boolean
    refetch: () => unknown
  }
}

const customersText = (count: number) => (count === 1 ? '1 customer' : `${count.toLocaleString('en-US')} customers`)

/** Shows how many customers get the days, and the effect for some of them. */
export function DaysBackPreview({ preview: { data, isReady, error, isFetching, refetch } }: Props) {
  if (!isReady) return <p className="text-fg-2">Enter the days and choose who gets them to see the effect.</p>
  if (error)
    return (
      <Note
        tone="bad"
        role="alert"
        action={
          <Button variant="line" size="sm" pending={isFetching} onClick={() => void refetch()}>
            Retry
          </Button>
        }
      >
        {messageOf(error)}
      </Note>
    )
  return (
    <div role="status" aria-busy={isFetching}>
      {!data && <p className="text-fg-2">Calculating the effect…</p>}
      {data?.customers === 0 && (
        <Note>
          No customers in this group can still get days.{' '}
          {data.alreadyGiven > 0 && `${customersText(data.alreadyGiven)} got days earlier.`}
        </Note>
      )}
      {data && data.customers > 0 && (
        <ul className="grid list-disc gap-1 pl-5 text-15">
          <li>
            {customersText(data.customers)} {data.customers === 1 ? 'gets' : 'get'} the days. Nothing was paid for them,
            so they never become credit.
          </li>
          {data.ended > 0 && <li>The time of {customersText(data.ended)} has ended: their days begin now.</li>}
          {data.alreadyGiven > 0 && (
            <li>
              {customersText(data.alreadyGiven)} got days earlier and {data.alreadyGiven === 1 ? 'is' : 'are'} left out.
            </li>
          )}
          <li>
            For example{' '}
            {data.examples.slice(0, 3).map(({ id, username, endsAt, newEnd }, index) => (
              <span key={id} className="wrap-anywhere">
                {index > 0 && ', '}
                {username} from <DateText value={endsAt} /> to <DateText value={newEnd} />
              </span>
            ))}
            .
          </li>
        </ul>
      )}
    </div>
  )
}
