import { addMonths, type Instant } from '#kit/dates.ts'
import { daysBetween, later, type NewSegment, usableSegments } from './segment.ts'

/** A paid purchase. `listCents` is the plan's price on the invoice; `paidCents` is the sum of the cash and account credit paid. */
export type Purchase = { planId: number; months: number; connections: number; listCents: number; paidCents: number }

/** Returns the segment that a purchase adds: after the remaining time, or from the payment date if no time remains. */
export function purchasedSegment(segments: NewSegment[], bought: Purchase, paidAt: Instant): NewSegment {
  const last = usableSegments(segments).at(-1)
  return {
    ...bought,
    ...period(last ? later(last.endsAt, paidAt) : paidAt, bought.months),
    closed: false,
    withdrawn: false,
  }
}

/** Returns a whole period of calendar months. */
export function period(startsAt: Instant, months: number): Pick<NewSegment, 'startsAt' | 'endsAt' | 'periodDays'> {
  const endsAt = addMonths(startsAt, months)
  return { startsAt, endsAt, periodDays: daysBetween(startsAt, endsAt) }
}
