import { addMonths, type Instant, isBefore } from '#kit/dates.ts'
import { period } from './purchase.ts'
import { later, type Segment, usableSegments } from './segment.ts'

/** A segment in force with the act that made it; `effectiveAt` is the payment date of a purchase. */
export type SequenceSegment = Segment & { kind: 'purchase' | 'plan_change' | 'grant'; effectiveAt: Instant }
export type Schedule = Pick<Segment, 'id' | 'startsAt' | 'endsAt' | 'periodDays'>

/** Whether a segment is a purchase as it was paid for. Only such a segment may be moved: nothing was computed from its place. */
export const isWholePurchase = ({ kind, startsAt, endsAt, months }: SequenceSegment): boolean =>
  kind === 'purchase' && addMonths(startsAt, months) === endsAt

/**
 * Where purchases lie after an act was taken back: each behind the time before it, or from its own payment on, as if the act had never been.
 * Returns those that have to move. Every other segment stays where it is.
 */
export function reschedulePurchases(segments: SequenceSegment[]): Schedule[] {
  const moved: Schedule[] = []
  let end: Instant | undefined
  for (const segment of usableSegments(segments)) {
    const startsAt = end ? later(end, segment.effectiveAt) : segment.effectiveAt
    const place = isWholePurchase(segment) ? { id: segment.id, ...period(startsAt, segment.months) } : segment
    if (place.startsAt !== segment.startsAt) moved.push(place)
    end = end && isBefore(place.endsAt, end) ? end : place.endsAt
  }
  return moved
}
