import { type Instant, isBefore } from '#kit/dates.ts'
import { roundedRatio } from '#kit/money.ts'

/** A stretch of time on one plan, with its list price and what was paid for it, both in cents. */
export type Segment = {
  id: number
  activationId: number
  planId: number
  months: number
  connections: number
  startsAt: Instant
  endsAt: Instant
  /** The days that the plan's whole price pays for. */
  periodDays: number
  listCents: number
  /** Cash and account credit. Discounts and grants do not count. */
  paidCents: number
  /** A new period began where this segment ends, although time goes on without a gap. */
  closed: boolean
  /** An administrator took this time away. Its cents stay accounted for here. */
  withdrawn: boolean
}
export type NewSegment = Omit<Segment, 'id' | 'activationId'>
/** What an act does to a sequence: some rows are replaced, others are made. */
export type SequenceChange = { replaced: number[]; created: NewSegment[] }

const dayMs = 86_400_000
/** Whole days from one moment to another. A day that has begun counts as one day. */
export const daysBetween = (from: Instant, to: Instant): number =>
  Math.max(0, Math.ceil((Date.parse(to) - Date.parse(from)) / dayMs))

export const later = (one: Instant, other: Instant): Instant => (isBefore(one, other) ? other : one)

/** Segments that give time, in order. Withdrawn ones only hold cents. */
export const usableSegments = <S extends NewSegment>(segments: S[]): S[] =>
  segments
    .filter(({ withdrawn }) => !withdrawn)
    .sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt))

/** The days of a segment that are left at a moment, and what they are worth in cents: rounded shares of list price and payment. */
export function remainderAt(
  segment: NewSegment,
  at: Instant,
): { leftDays: number; totalDays: number; listCents: number; paidCents: number } {
  const totalDays = daysBetween(segment.startsAt, segment.endsAt)
  const leftDays = daysBetween(later(at, segment.startsAt), segment.endsAt)
  const share = (cents: number) => roundedRatio(cents, leftDays, totalDays)
  return { leftDays, totalDays, listCents: share(segment.listCents), paidCents: share(segment.paidCents) }
}

/** Cuts a segment in two at a moment inside it, its cents to the millisecond. Both parts together hold exactly its cents. */
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

/** The row without its keys, to make another row of it. */
export function withoutKeys({ id: _id, activationId: _activationId, ...segment }: Segment): NewSegment {
  return segment
}

/** Shares out whole cents by weights. The shares add up to `cents`, and none exceeds its weight where `cents` does not exceed their sum. */
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
