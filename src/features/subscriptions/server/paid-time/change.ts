import { addMonths, type Instant, isBefore } from '#kit/dates.ts'
import { roundedRatio } from '#kit/money.ts'
import {
  allocate,
  daysBetween,
  later,
  type NewSegment,
  remainderAt,
  type Segment,
  type SequenceChange,
  usableSegments,
  withoutKeys,
} from './segment.ts'

type Plan = { id: number; price: number; months: number; connections: number }

/** The price of a plan change. All amounts are cents. */
export type PlanChange = {
  /** Whether the end date stays, because all remaining segments have the new plan's length. Otherwise a new period starts when the change is paid. */
  keepsPeriod: boolean
  /** The new plan's price for the time that it covers. */
  cost: number
  /** The amount to pay. */
  charge: number
  /** The amount that becomes account credit on approval. */
  credit: number
  /** The list price of the remaining time. */
  unusedList: number
  /** The amount paid for the remaining time. */
  unusedPaid: number
  leftDays: number
  periodDays: number
}

/**
 * Prices a plan change for all time remaining at `at`, current and queued. The charge is the cost minus the list price of the remaining time. The
 * credit is the amount paid for the remaining time minus the cost. Charge and credit are rounded half up and never negative. Granted and discounted
 * time reduces the charge but never becomes credit.
 */
export function priceChange(segments: Segment[], plan: Pick<Plan, 'price' | 'months'>, at: Instant): PlanChange {
  const left = remainingSegments(segments, at)
  const remainders = left.map((segment) => ({ ...remainderAt(segment, at), segment }))
  const keepsPeriod = left.every(({ months }) => months === plan.months)
  const costs: Share[] = keepsPeriod
    ? remainders.map(({ segment, leftDays }) => ({
        cents: plan.price,
        numerator: leftDays,
        denominator: segment.periodDays,
      }))
    : [{ cents: plan.price, numerator: 1, denominator: 1 }]
  const lists = remainders.map(({ segment, leftDays, totalDays }) => ({
    cents: -segment.listCents,
    numerator: leftDays,
    denominator: totalDays,
  }))
  const paids = remainders.map(({ segment, leftDays, totalDays }) => ({
    cents: -segment.paidCents,
    numerator: leftDays,
    denominator: totalDays,
  }))
  const sum = (key: 'listCents' | 'paidCents') => remainders.reduce((cents, rest) => cents + rest[key], 0)
  return {
    keepsPeriod,
    cost: roundedSum(costs),
    charge: Math.max(0, roundedSum([...costs, ...lists])),
    // Rounding must not give more credit than was paid.
    credit: Math.min(Math.max(0, -roundedSum([...costs, ...paids])), sum('paidCents')),
    unusedList: sum('listCents'),
    unusedPaid: sum('paidCents'),
    leftDays: remainders.reduce((days, rest) => days + rest.leftDays, 0),
    periodDays: left.reduce((days, segment) => days + segment.periodDays, 0),
  }
}

/**
 * Applies a paid plan change to the segments: used parts keep their cents, and the rest is replaced by the new plan. The change was priced at `at`
 * and takes effect at `from`; `plan.price` is the price at `at`. The cents before and after balance exactly.
 */
export function changeSequence(
  segments: Segment[],
  plan: Plan,
  { at, from }: { at: Instant; from: Instant },
): SequenceChange {
  const change = priceChange(segments, plan, at)
  const left = remainingSegments(segments, at)
  const used = left
    .filter(({ startsAt }) => isBefore(startsAt, from))
    .map((segment) => usedPart(segment, at, from, !change.keepsPeriod))
  const paid = change.unusedPaid + change.charge - change.credit
  // The list value grows by at most what was paid, so that repeated changes cannot gain cents by rounding.
  const list =
    change.charge > 0
      ? change.unusedList + change.charge
      : Math.max(paid, Math.min(change.cost, change.unusedList - change.credit))
  const bought = {
    planId: plan.id,
    months: plan.months,
    connections: plan.connections,
    closed: false,
    withdrawn: false,
  }
  if (!change.keepsPeriod) {
    const endsAt = addMonths(from, plan.months)
    const made = {
      ...bought,
      startsAt: from,
      endsAt,
      periodDays: daysBetween(from, endsAt),
      listCents: list,
      paidCents: paid,
    }
    return { replaced: left.map(({ id }) => id), created: [...used, made] }
  }
  const lists = allocate(
    list,
    left.map((segment) => roundedRatio(plan.price, remainderAt(segment, at).leftDays, segment.periodDays)),
  )
  const paids = allocate(paid, lists)
  const made = left.map((segment, index) => ({
    ...bought,
    startsAt: later(from, segment.startsAt),
    endsAt: segment.endsAt,
    periodDays: segment.periodDays,
    listCents: lists[index]!,
    paidCents: paids[index]!,
  }))
  return { replaced: left.map(({ id }) => id), created: [...used, ...made] }
}

/** Returns the segments that end after `at`, in order. */
export const remainingSegments = (segments: Segment[], at: Instant): Segment[] =>
  usableSegments(segments).filter(({ endsAt }) => isBefore(at, endsAt))

/** Returns the used part of a segment when a change takes effect at `from`. Its cents are those used up at `at`, when the change was priced. */
function usedPart(segment: Segment, at: Instant, from: Instant, closed: boolean): NewSegment {
  const rest = remainderAt(segment, at)
  return {
    ...withoutKeys(segment),
    endsAt: from,
    closed,
    listCents: segment.listCents - rest.listCents,
    paidCents: segment.paidCents - rest.paidCents,
  }
}

type Share = { cents: number; numerator: number; denominator: number }
/** Returns the sum of the shares. It is rounded half up once, at the end. */
function roundedSum(shares: Share[]): number {
  const denominator = shares.reduce((product, share) => product * BigInt(share.denominator), 1n)
  const numerator = shares.reduce(
    (sum, share) => sum + (BigInt(share.cents) * BigInt(share.numerator) * denominator) / BigInt(share.denominator),
    0n,
  )
  const doubled = 2n * numerator + denominator
  const quotient = doubled / (2n * denominator)
  return Number(doubled % (2n * denominator) < 0n ? quotient - 1n : quotient)
}
