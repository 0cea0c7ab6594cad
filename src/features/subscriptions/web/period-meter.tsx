import type { Instant } from '#kit/dates.ts'
import { Meter } from '#web/ui/meter.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { periodAt } from '../rules.ts'

export function PeriodMeter({ start, end }: { start: Instant; end: Instant }) {
  const { usedDays, totalDays, leftDays } = periodAt(start, end, new Date())
  return (
    <Meter
      className="mt-6"
      value={usedDays}
      max={totalDays}
      label={`${usedDays} of ${totalDays} days used`}
      start={<DateText value={start} />}
      middle={leftDays === 1 ? '1 day left' : `${leftDays} days left`}
      end={<DateText value={end} />}
    />
  )
}
