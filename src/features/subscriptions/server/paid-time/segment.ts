import { type Instant, isBefore } from '#kit/dates.ts'
import { roundedRatio } from '#kit/money.ts'

/** A period of time on one plan, with its list price and what was paid for it, both in cents. */
export type Segment = {
  id: number
  activationId: number
  planId: number
  months: number
  connections: number
  startsAt: Instant
  endsAt: Instant
  /** The number of days that the plan's full price covers. */
  periodDays: number
  listCents: number
  /** Cash and account credit. Discounts and grants do not count. */
  paidCents: number
  /** Whether a new billing period starts where this segment ends, although there is no gap. */
  closed: boolean
  /** Whether an administrator withdrew this time. Its cents stay recorded here. */
  withdrawn: boolean
}
export type NewSegment = Omit<Segment, 'id' | 'activationId'>
/** The effect of an activation on the segments: the ids of replaced segments, and the new segments. */
export type SequenceChange = { replaced: number[]; created: NewSegment[] }

const dayMs = 86_400_000
/** Returns the days between two instants, rounded up; 0 if `to` is not after `from`. */
export const daysBetween = (from: Instant, to: Instant): number =>
  Math.max(0, Math.ceil((Date.parse(to) - Date.parse(from)) / dayMs))

export const later = (one: Instant, other: Instant): Instant => (isBefore(one, other) ? other : one)

/** Returns the segments that are not withdrawn, in order. */
export const usableSegments = <S extends NewSegment>(segments: S[]): S[] =>
  segments
    .filter(({ withdrawn }) => !withdrawn)
    .sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt))

/** Returns the remaining days of a segment at `at`, and the rounded shares of its list price and of the amount paid, in cents. */
export function remainderAt(
  segment: NewSegment,
  at: Instant,
): { leftDays: number; totalDays: number; listCents: number; paidCents: number } {
  const totalDays = daysBetween(segment.startsAt, segment.endsAt)
  const leftDays = daysBetween(later(at, segment.startsAt), segment.endsAt)
  const share = (cents: number) => roundedRatio(cents, leftDays, totalDays)
  return { leftDays, totalDays, listCents: share(segment.listCents), paidCents: share(segment.paidCents) }
}

/** Splits a segment at an instant inside it. The cents are divided in proportion to milliseconds, and the two parts add up exactly. */
export function splitAt(segment: NewSegment, at: Instant): [NewSegment, NewSegment] {
  const [start, moment, end] = [Date.parse(segment.startsAt), Date.parse(at), Date.parse(segment.endsAt)]
  const share = (cents: number) => roundedRatio(cents, end - moment, end - start)
  const [listCents, paidCents] = [share(segment.listCents), share(segment.paidCents)]
  return [
    {
      ...segment,
      endsAt: at,
      closed: false,
      listCents: segment.listCents - listCents,
      paidCents: segment.paidCents - paidCents,
    },
    { ...segment, startsAt: at, listCents, paidCents },
  ]
}

/** Returns the segment without its ids, to create another row from it. */
export function withoutKeys({ id: _id, activationId: _activationId, ...segment }: Segment): NewSegment {
  return segment
}

/** Allocates whole cents by weight. The shares add up to `cents`; none exceeds its weight if `cents` is at most the sum of the weights. */
export function allocate(cents: number, weights: number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return weights.map((_, index) => (index === 0 ? cents : 0))
  let weight = 0
  let allocated = 0
  return weights.map((own) => {
    weight += own
    const share = Number((BigInt(cents) * BigInt(weight)) / BigInt(total)) - allocated
    allocated += share
    return share
  })
}
