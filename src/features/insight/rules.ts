// Pure arithmetic of the business figures. A day is the text YYYY-MM-DD of a day in UTC; amounts are cents.
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

/** First and last day, both included. */
export type Range = { from: string; to: string }

/** The days of a period that ends `today`. Twelve months begin with the first day of the month eleven months ago. */
export const rangeOf = (period: Period, today: string): Range =>
  period === '12m'
    ? { from: monthOf(today, -11), to: today }
    : { from: addDays(today, period === '30d' ? -29 : -89), to: today }

/** The range of the same length before a period, to compare with. */
export function rangeBefore(period: Period, { from, to }: Range): Range {
  if (period === '12m') return { from: monthOf(from, -12), to: addMonths(`${to}T00:00:00Z`, -12).slice(0, 10) }
  return { from: addDays(from, period === '30d' ? -30 : -90), to: addDays(from, -1) }
}

/** The first days of the steps of a chart: days, or months for twelve months. */
export function stepsOf(period: Period, { from, to }: Range): string[] {
  const steps: string[] = []
  for (let at = from; at <= to; at = period === '12m' ? monthOf(at, 1) : addDays(at, 1)) steps.push(at)
  return steps
}

/** What one step of a period received, and the levels at its end. */
export type Step = {
  /** The first day of the step. */
  day: string
  receivedCents: number
  refundedCents: number
  payments: number
  referralCents: number
  subscribers: number
  mrrCents: number
}

/** Combines steps that have the same key: sums of the amounts, and the levels of the last one. */
export function combineSteps(steps: Step[], keyOf: (day: string) => string): Step[] {
  const combined = new Map<string, Step>()
  for (const step of steps) {
    const key = keyOf(step.day)
    const before = combined.get(key)
    combined.set(key, {
      ...step,
      day: before?.day ?? step.day,
      receivedCents: step.receivedCents + (before?.receivedCents ?? 0),
      refundedCents: step.refundedCents + (before?.refundedCents ?? 0),
      payments: step.payments + (before?.payments ?? 0),
      referralCents: step.referralCents + (before?.referralCents ?? 0),
    })
  }
  return [...combined.values()]
}

/** The rows of the table behind a chart: weeks for 90 days, otherwise the steps themselves. */
export const tableSteps = (period: Period, steps: Step[]): Step[] =>
  period === '90d' ? combineSteps(steps, weekOf) : steps

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

/** A share in percent: without decimals from 10 %, one decimal below; null without a base. */
export function percentText(part: number, whole: number): string | null {
  if (whole === 0) return null
  const percent = (100 * part) / whole
  return `${percent >= 9.95 || percent === 0 ? Math.round(percent) : percent.toFixed(1)}%`
}

/** Cents as whole dollars: `$1,234`; from ten thousand dollars on an axis `$12k`. */
export function wholeDollars(cents: number, { isAxis = false } = {}): string {
  const dollars = Math.round(Math.abs(cents) / 100)
  const sign = cents < 0 && dollars > 0 ? '−' : ''
  if (isAxis && dollars >= 10_000) return `${sign}$${Number((dollars / 1000).toFixed(1))}k`
  return `${sign}$${dollars.toLocaleString('en-US')}`
}
