import { type Instant, isBefore } from '#kit/dates.ts'
import type { SubscriptionState } from '../../rules.ts'
import { type NewSegment, usableSegments } from './segment.ts'

/**
 * The subscription that a sequence of segments shows at a moment: the plan that runs, or else the next one; the start of the period it belongs
 * to; the end of all time in a row. Undefined where no time is left.
 */
export function subscriptionAt(segments: NewSegment[], at: Instant): SubscriptionState | undefined {
  const time = usableSegments(segments)
  const current = time.findIndex(({ endsAt }) => isBefore(at, endsAt))
  if (current === -1) return undefined
  return stateOf(time, current, 'active')
}

/** The subscription that has run out; undefined where there never was one. */
export function expiredSubscription(segments: NewSegment[]): SubscriptionState | undefined {
  const time = usableSegments(segments)
  return time.length === 0 ? undefined : stateOf(time, time.length - 1, 'expired')
}

function stateOf(time: NewSegment[], index: number, status: 'active' | 'expired'): SubscriptionState {
  let [first, last] = [index, index]
  while (first > 0 && time[first - 1]!.endsAt === time[first]!.startsAt && !time[first - 1]!.closed) first--
  while (last < time.length - 1 && time[last + 1]!.startsAt === time[last]!.endsAt) last++
  const { planId, connections } = time[index]!
  return { planId, status, startDate: time[first]!.startsAt, endDate: time[last]!.endsAt, maxConnections: connections }
}
