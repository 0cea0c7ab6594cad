import { type Period, type Range, type Step, stepsOf } from '../rules.ts'
import { type Figure, type Move, sumOf } from './read-rollups.ts'

const gains: Partial<Record<Figure, { customers: number; cents: number }>> = {
  new: { customers: 1, cents: 1 },
  winback: { customers: 1, cents: 1 },
  expansion: { customers: 0, cents: 1 },
  contraction: { customers: 0, cents: -1 },
  churn: { customers: -1, cents: -1 },
}

export type Level = { subscribers: number; mrrCents: number }

/** Subscribers and monthly recurring revenue after `moves`. */
export function levelAfter({ subscribers, mrrCents }: Level, moves: Move[]): Level {
  for (const { figure, events, cents } of moves) {
    subscribers += (gains[figure]?.customers ?? 0) * events
    mrrCents += (gains[figure]?.cents ?? 0) * cents
  }
  return { subscribers, mrrCents }
}

/** The steps of a range, without gaps: amounts of each step, and the levels at its end, counted from `start`. */
export function stepsFrom(moves: Move[], start: Level, { period, range }: { period: Period; range: Range }): Step[] {
  const byDay = Map.groupBy(moves, ({ day }) => day)
  let level = start
  return stepsOf(period, range).map((day) => {
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
