import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { PaymentDetail } from '../admin-contract.ts'

/** Says that a decision, its undo or a refund of this payment needs two administrators, and who requested one. */
export function SecondPerson({ aboveDollars, asked }: NonNullable<PaymentDetail['secondPerson']>) {
  return (
    <Note tone="warn">
      {asked ? (
        <>
          {asked.by} made a request <DateText value={asked.at} />. It takes effect when another administrator does the
          same within a day.
        </>
      ) : (
        `Above $${aboveDollars}, a decision takes effect when a second administrator makes the same one within a day. The same applies to its undo.`
      )}
    </Note>
  )
}
