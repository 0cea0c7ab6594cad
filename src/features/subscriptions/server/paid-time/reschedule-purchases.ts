import { addMonths, type Instant, isBefore } from '#kit/dates.ts'
import { period } from './purchase.ts'
import { later, type Segment, usableSegments } from './segment.ts'

/** A segment in force with data of its activation; `effectiveAt` is the payment date of a purchase. */
export type SequenceSegment = Segment & { kind: 'purchase' | 'plan_change' | 'grant'; effectiveAt: Instant }
export type Schedule = Pick<Segment, 'id' | 'startsAt' | 'endsAt' | 'periodDays'>

/** Whether a segment is an unsplit purchase. Only these can be moved, because nothing was computed from their dates. */
export const isWholePurchase = ({ kind, startsAt, endsAt, months }: SequenceSegment): boolean =>
  kind === 'purchase' && addMonths(startsAt, months) === endsAt

/**
 * Reschedules purchases after an activation was reversed: each purchase starts where the time before it ends, but not before its own payment date.
 * Returns only the segments that move.
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
