import { type Instant, isBefore } from '#kit/dates.ts'
import type { SubscriptionState } from '../../rules.ts'
import { type NewSegment, usableSegments } from './segment.ts'

/**
 * Returns the subscription that results from the segments at `at`: the current plan or otherwise the next one, the start of its period, and the end
 * of all contiguous time. Undefined if no time remains.
 */
export function subscriptionAt(segments: NewSegment[], at: Instant): SubscriptionState | undefined {
  const time = usableSegments(segments)
  const current = time.findIndex(({ endsAt }) => isBefore(at, endsAt))
  if (current === -1) return undefined
  return stateOf(time, current, 'active')
}

/** Returns the expired subscription; undefined if the customer never had one. */
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
