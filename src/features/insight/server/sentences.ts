// Descriptions of the figures in words, for readers who do not see the charts.
import { formatCents } from '#kit/money.ts'
import type { Insight } from '../admin-contract.ts'
import { type Bridge, type Bucket, type Period, percentText, periodNames, reasonNames } from '../rules.ts'

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

const named = (format: Intl.DateTimeFormatOptions) => (day: string) =>
  new Intl.DateTimeFormat('en-US', { ...format, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
const dayName = named({ month: 'long', day: 'numeric', year: 'numeric' })
const monthName = named({ month: 'long', year: 'numeric' })

type Revenue = { receivedCents: number; refundedCents: number; netCents: number; steps: Bucket[] }
/** Describes the revenue of a period: received, refunded and net amount, and the best day or month. */
export function revenue(period: Period, { receivedCents, refundedCents, netCents, steps: buckets }: Revenue): string {
  if (receivedCents === 0 && refundedCents === 0) return `No payments in the last ${periodNames[period]}.`
  const best = buckets.reduce((one, other) => (other.receivedCents > one.receivedCents ? other : one))
  const refunds = refundedCents > 0 ? `, ${formatCents(refundedCents)} of it refunded` : ''
  const [unit, name] = period === '12m' ? ['month', monthName(best.day)] : ['day', dayName(best.day)]
  return `${formatCents(receivedCents)} received in the last ${periodNames[period]}${refunds}, ${formatCents(netCents)} net. The best ${unit} was ${name} with ${formatCents(best.receivedCents)}.`
}

/** Describes how monthly recurring revenue changed, from the start to the end of a period. */
export function bridge(period: Period, { startCents, endCents }: Bridge): string {
  const change = endCents - startCents
  const direction =
    change === 0 ? 'did not change' : `${change > 0 ? 'rose' : 'fell'} by ${formatCents(Math.abs(change))}`
  return `Monthly recurring revenue ${direction} in the last ${periodNames[period]}, from ${formatCents(startCents)} to ${formatCents(endCents)}.`
}

/** Describes the lost subscribers: their number, their share and the most common reason. */
export function churn(
  { customers, reasons }: Omit<Insight['churn'], 'sentence'>,
  { start, gained }: Insight['subscribers'],
): string {
  if (customers === 0) return 'No subscriber was lost.'
  const rate = percentText(customers, start + gained)
  const [first] = reasons
  return `${plural(customers, 'subscriber')} lost, ${rate} of the ${(start + gained).toLocaleString('en-US')} who had a subscription. Most common reason: ${reasonNames[first!.reason].toLowerCase()} (${first!.customers} of ${customers}).`
}

/** Describes the share of trials that were followed by a payment. */
export function trials({ requested, approved, paid }: Omit<Insight['trials'], 'sentence'>): string {
  if (requested === 0) return 'No trial was requested.'
  return `${percentText(paid, requested)} of trials led to a payment: ${plural(requested, 'customer')} asked for a first trial, ${approved} got one, ${paid} paid after it.`
}

/** Describes how many of the subscriptions that end in the next 30 days are renewed. */
export function renewals(days: Insight['renewals']['days']): string {
  const sum = (key: 'open' | 'renewed') => days.reduce((total, day) => total + day[key], 0)
  if (sum('open') + sum('renewed') === 0) return 'No subscription ends in the next 30 days.'
  return `${plural(sum('open') + sum('renewed'), 'subscription')} due in the next 30 days: ${sum('renewed')} renewed already, ${sum('open')} not renewed yet.`
}

/** Describes the cost of referrals and its share of net revenue. */
export function referrals(
  { bonusCents, discountCents }: Omit<Insight['referrals'], 'sentence'>,
  netCents: number,
): string {
  const cost = bonusCents + discountCents
  if (cost === 0) return 'Referrals cost nothing in this period.'
  const share = netCents > 0 ? `, ${percentText(cost, netCents)} of net revenue` : ''
  return `Referrals cost ${formatCents(cost)}${share}: ${formatCents(bonusCents)} in bonuses and ${formatCents(discountCents)} in discounts.`
}

/** Describes the retention of the oldest cohort that has customers. */
export function cohorts(rows: Insight['cohorts']['rows']): string {
  const oldest = rows.findLast(({ customers, active }) => customers > 0 && active[0] !== null)
  if (!oldest) return 'No month of first payments is complete yet.'
  const last = oldest.active.findLast((count) => count !== null)!
  return `Of ${plural(oldest.customers, 'customer')} who first paid in ${monthName(oldest.month)}, ${last} had a subscription at the end of last month.`
}
