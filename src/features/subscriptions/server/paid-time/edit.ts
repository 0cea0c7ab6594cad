import { addMonths, type Instant, isBefore } from '#kit/dates.ts'
import { roundedRatio } from '#kit/money.ts'
import {
  daysBetween,
  type NewSegment,
  type Segment,
  type SequenceChange,
  splitAt,
  usableSegments,
  withoutKeys,
} from './segment.ts'

type Plan = { id: number; price: number; months: number; connections: number }
/** An administrator's edit. `period` is null if the subscription is not active. With `changesPlan`, all time from now on moves to `plan`. */
export type Edit = { now: Instant; period: { from: Instant; to: Instant; plan: Plan; changesPlan: boolean } | null }

/**
 * Applies an administrator's edit to the segments. Kept time keeps the cents paid for it, added time has 0 paid cents, and removed time is marked
 * withdrawn with its cents. Past time does not change.
 */
export function editSequence(segments: Segment[], edit: Edit): SequenceChange {
  const time = usableSegments(segments)
  const change: SequenceChange = { replaced: [], created: [] }
  const kept: NewSegment[] = []
  for (const segment of time) {
    const parts = editedParts(withoutKeys(segment), edit)
    const isSame = parts.length === 1 && isUnchanged(parts[0]!, segment)
    if (!isSame) {
      change.replaced.push(segment.id)
      change.created.push(...parts)
    }
    kept.push(...parts.filter(({ withdrawn }) => !withdrawn))
  }
  if (edit.period) change.created.push(...fillGaps(kept, edit.period))
  return change
}

/** Returns the parts of a segment after the edit: split at the edges of the period, and at `now` if the plan changes or the period starts later. */
function editedParts(segment: NewSegment, { now, period }: Edit): NewSegment[] {
  if (!period) return splitAll(segment, [now]).map((part) => withdrawnAfter(part, now))
  const { from, to, plan, changesPlan } = period
  // If the start moves into the future, the time between `now` and the start is withdrawn; used time stays.
  return splitAll(segment, changesPlan || isBefore(now, from) ? [from, to, now] : [from, to]).map((part) => {
    if (!isBefore(part.startsAt, to)) return { ...part, withdrawn: true }
    if (isBefore(part.startsAt, from))
      return part.endsAt === from ? withdrawnAfter({ ...part, closed: true }, now) : withdrawnAfter(part, now)
    return changesPlan && isBefore(now, part.endsAt) ? onPlan(part, plan) : part
  })
}

const withdrawnAfter = (part: NewSegment, now: Instant): NewSegment =>
  isBefore(part.startsAt, now) ? part : { ...part, closed: false, withdrawn: true }

/** Moves kept time to another plan. The new list price is at least the amount paid for the time. */
function onPlan(part: NewSegment, plan: Plan): NewSegment {
  const { listCents, periodDays } = priceOf(plan, part.startsAt, part.endsAt)
  return {
    ...part,
    ...{ planId: plan.id, months: plan.months, connections: plan.connections },
    ...{ periodDays, listCents: Math.max(listCents, part.paidCents) },
  }
}

function fillGaps(kept: NewSegment[], { from, to, plan }: NonNullable<Edit['period']>): NewSegment[] {
  const gaps: NewSegment[] = []
  let at = from
  for (const { startsAt, endsAt } of [
    ...kept.filter((part) => !isBefore(part.startsAt, from)),
    { startsAt: to, endsAt: to },
  ]) {
    if (isBefore(at, startsAt)) gaps.push(grantedSegment(plan, at, startsAt))
    at = endsAt
  }
  return gaps
}

/** Creates a segment for time that is given without a payment, with its share of the plan's list price. */
export const grantedSegment = (plan: Plan, startsAt: Instant, endsAt: Instant): NewSegment => ({
  ...{ planId: plan.id, months: plan.months, connections: plan.connections, startsAt, endsAt },
  ...priceOf(plan, startsAt, endsAt),
  ...{ paidCents: 0, closed: false, withdrawn: false },
})

function priceOf(plan: Plan, startsAt: Instant, endsAt: Instant): Pick<NewSegment, 'listCents' | 'periodDays'> {
  const periodDays = daysBetween(startsAt, addMonths(startsAt, plan.months))
  return { periodDays, listCents: roundedRatio(plan.price, daysBetween(startsAt, endsAt), periodDays) }
}

function splitAll(segment: NewSegment, moments: Instant[]): NewSegment[] {
  const inside = moments
    .filter((at) => isBefore(segment.startsAt, at) && isBefore(at, segment.endsAt))
    .sort((one, other) => Date.parse(one) - Date.parse(other))
  const [first] = inside
  if (!first) return [segment]
  const [head, tail] = splitAt(segment, first)
  return [head, ...splitAll(tail, inside.slice(1))]
}

const isUnchanged = (
  part: NewSegment,
  { planId, withdrawn, closed, listCents, startsAt, endsAt }: NewSegment,
): boolean =>
  part.planId === planId &&
  part.withdrawn === withdrawn &&
  part.closed === closed &&
  part.listCents === listCents &&
  part.startsAt === startsAt &&
  part.endsAt === endsAt
