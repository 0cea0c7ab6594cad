// Pure functions for the business figures. A day is a string YYYY-MM-DD in UTC; amounts are in cents.
import { addMonths } from '#kit/dates.ts'

export const periods = ['30d', '90d', '12m'] as const
export type Period = (typeof periods)[number]
export const periodNames: Record<Period, string> = { '30d': '30 days', '90d': '90 days', '12m': '12 months' }

export const churnReasons = ['expired', 'ended', 'granted', 'refunded'] as const
export type ChurnReason = (typeof churnReasons)[number]
export const reasonNames: Record<ChurnReason, string> = {
  expired: 'Expired without renewal',
  ended: 'Ended by an administrator',
  granted: 'Free time ended',
  refunded: 'Refunded',
}

const dayMs = 86_400_000
/** The day `days` after `day`; negative numbers go back. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The first day of the month that is `months` months after the month of `day`. */
export const monthOf = (day: string, months = 0): string =>
  addMonths(`${day.slice(0, 7)}-01T00:00:00Z`, months).slice(0, 10)

/** The Monday of the week of `day`. */
export const weekOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** The first and the last day, both included. */
export type Range = { from: string; to: string }

/** The range of a period that ends `today`. Twelve months begin with the first day of the month eleven months ago. */
export const rangeOf = (period: Period, today: string): Range =>
  period === '12m'
    ? { from: monthOf(today, -11), to: today }
    : { from: addDays(today, period === '30d' ? -29 : -89), to: today }

/** The previous range of the same length, for comparison. */
export function rangeBefore(period: Period, { from, to }: Range): Range {
  if (period === '12m') return { from: monthOf(from, -12), to: addMonths(`${to}T00:00:00Z`, -12).slice(0, 10) }
  return { from: addDays(from, period === '30d' ? -30 : -90), to: addDays(from, -1) }
}

/** The first day of each bucket of a chart. A bucket is a day, or a month for twelve months. */
export function bucketStarts(period: Period, { from, to }: Range): string[] {
  const starts: string[] = []
  for (let at = from; at <= to; at = period === '12m' ? monthOf(at, 1) : addDays(at, 1)) starts.push(at)
  return starts
}

/** The amounts of one bucket of a chart or table (a day, week or month), and the levels at its end. */
export type Bucket = {
  /** The first day of the bucket. */
  day: string
  receivedCents: number
  refundedCents: number
  payments: number
  referralCents: number
  subscribers: number
  mrrCents: number
}

/** Combines buckets that have the same key: adds up the amounts, and keeps the levels of the last bucket. */
export function combineBuckets(buckets: Bucket[], keyOf: (day: string) => string): Bucket[] {
  const combined = new Map<string, Bucket>()
  for (const bucket of buckets) {
    const key = keyOf(bucket.day)
    const before = combined.get(key)
    combined.set(key, {
      ...bucket,
      day: before?.day ?? bucket.day,
      receivedCents: bucket.receivedCents + (before?.receivedCents ?? 0),
      refundedCents: bucket.refundedCents + (before?.refundedCents ?? 0),
      payments: bucket.payments + (before?.payments ?? 0),
      referralCents: bucket.referralCents + (before?.referralCents ?? 0),
    })
  }
  return [...combined.values()]
}

/** The rows of the table behind a chart: weeks for 90 days, otherwise the buckets of the chart. */
export const tableBuckets = (period: Period, buckets: Bucket[]): Bucket[] =>
  period === '90d' ? combineBuckets(buckets, weekOf) : buckets

/** How monthly recurring revenue moved in a period, in cents. Losses are positive numbers. */
export type Bridge = {
  startCents: number
  newCents: number
  expansionCents: number
  winbackCents: number
  contractionCents: number
  churnCents: number
  endCents: number
}

/** Start plus gains minus losses, which equals `endCents`. */
export const bridgeEnd = (bridge: Bridge): number =>
  bridge.startCents +
  bridge.newCents +
  bridge.expansionCents +
  bridge.winbackCents -
  bridge.contractionCents -
  bridge.churnCents

/** A share in percent: one decimal below 10 %, none from 10 %; null if `whole` is 0. */
export function percentText(part: number, whole: number): string | null {
  if (whole === 0) return null
  const percent = (100 * part) / whole
  return `${percent >= 9.95 || percent === 0 ? Math.round(percent) : percent.toFixed(1)}%`
}

/** Formats cents as whole dollars, such as `$1,234`. On an axis, ten thousand dollars and more are shortened, as in `$12.5k`. */
export function wholeDollars(cents: number, { isAxis = false } = {}): string {
  const dollars = Math.round(Math.abs(cents) / 100)
  const sign = cents < 0 && dollars > 0 ? '−' : ''
  if (isAxis && dollars >= 10_000) return `${sign}$${Number((dollars / 1000).toFixed(1))}k`
  return `${sign}$${dollars.toLocaleString('en-US')}`
}
