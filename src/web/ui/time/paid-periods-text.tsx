import { Fragment } from 'react'
import type { Instant } from '#kit/dates.ts'
import { DateText } from './date-text.tsx'

/** The remaining paid time as text: "Beast until Mar 3, 2027, then Little Beast until Apr 3, 2027". */
export function PaidPeriodsText({
  periods,
}: {
  periods: readonly { planName: string; startsAt: Instant; endsAt: Instant }[]
}) {
  return periods.map(({ planName, startsAt, endsAt }, index) => (
    <Fragment key={startsAt}>
      {index > 0 && ', then '}
      <b className="font-semibold">{planName}</b> until <DateText value={endsAt} className="font-semibold" />
    </Fragment>
  ))
}
