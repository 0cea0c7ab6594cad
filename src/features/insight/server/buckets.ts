import { type Bucket, bucketStarts, type Period, type Range } from '../rules.ts'
import { type BucketTotal, type Figure, sumOf } from './read-rollups.ts'

const gains: Partial<Record<Figure, { customers: number; cents: number }>> = {
  new: { customers: 1, cents: 1 },
  winback: { customers: 1, cents: 1 },
  expansion: { customers: 0, cents: 1 },
  contraction: { customers: 0, cents: -1 },
  churn: { customers: -1, cents: -1 },
}

export type Level = { subscribers: number; mrrCents: number }

/** Returns subscribers and monthly recurring revenue after the events of `totals`. */
export function levelAfter({ subscribers, mrrCents }: Level, totals: BucketTotal[]): Level {
  for (const { figure, events, cents } of totals) {
    subscribers += (gains[figure]?.customers ?? 0) * events
    mrrCents += (gains[figure]?.cents ?? 0) * cents
  }
  return { subscribers, mrrCents }
}

/** Returns the buckets of a range, without gaps. The levels at the end of each bucket are counted from `start`. */
export function bucketsFrom(
  totals: BucketTotal[],
  start: Level,
  { period, range }: { period: Period; range: Range },
): Bucket[] {
  const byDay = Map.groupBy(totals, ({ day }) => day)
  let level = start
  return bucketStarts(period, range).map((day) => {
    const own = byDay.get(day) ?? []
    level = levelAfter(level, own)
    return {
      day,
      receivedCents: sumOf(own, 'payment').cents,
      refundedCents: sumOf(own, 'refund').cents,
      payments: sumOf(own, 'payment').events,
      referralCents: sumOf(own, 'bonus').cents + sumOf(own, 'discount').cents,
      ...level,
    }
  })
}
