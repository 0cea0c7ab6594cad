import { connectionsText } from '#features/iptv/rules.ts'
import type { Instant } from '#kit/dates.ts'
import { formatCents } from '#kit/money.ts'
import type { ComingUp } from './admin-timeline-contract.ts'

/** The data from which the scheduled jobs decide. */
export interface ComingUpFacts {
  now: Instant
  /** The end of the subscription; null if it is not active. */
  endsAt: Instant | null
  /** The plan that a renewal buys; null if that plan is not on sale. */
  renewal: { planName: string; price: number } | null
  openInvoices: readonly {
    invoiceNumber: string
    amount: number
    expiresAt: Instant
    isSubmitted: boolean
    /** Whether the customer gets a reminder: for an order that the customer placed and has not paid. */
    isReminded: boolean
  }[]
  /** Whether the invoice that renews the subscription at its current end already exists. */
  hasRenewalInvoice: boolean
  /** Whether the line works now. */
  hasLine: boolean
  segments: readonly { planName: string; connections: number; startsAt: Instant }[]
  trialEndsAt: Instant | null
  bonuses: readonly { amount: number; availableAt: Instant }[]
  settings: { daysAhead: number; reminderDays: readonly number[]; reminderHours: number; graceDays: number }
}

const [hour, day] = [3_600_000, 86_400_000]
const shifted = (at: Instant, ms: number): Instant => new Date(Date.parse(at) + ms).toISOString()
const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** Returns what the scheduled jobs will do for a customer if nothing else happens, in ascending order. Days are 24 hours, as in the jobs. */
export function comingUp(facts: ComingUpFacts): ComingUp[] {
  const events = [...ofSubscription(facts), ...ofInvoices(facts), ...ofSegments(facts)]
  if (facts.trialEndsAt) events.push({ at: facts.trialEndsAt, title: 'Trial ends', detail: null })
  for (const { amount, availableAt } of facts.bonuses)
    events.push({
      at: availableAt,
      title: `Referral bonus of ${formatCents(amount)} becomes credit`,
      detail: 'The guarantee of the payment that earned it ends',
    })
  return events
    .filter(({ at }) => Date.parse(at) > Date.parse(facts.now))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function ofSubscription({
  endsAt,
  renewal,
  hasRenewalInvoice,
  hasLine,
  openInvoices,
  settings,
}: ComingUpFacts): ComingUp[] {
  if (!endsAt) return []
  const { daysAhead, reminderDays, graceDays } = settings
  const events: ComingUp[] = []
  if (daysAhead > 0 && renewal && !hasRenewalInvoice)
    events.push({
      at: shifted(endsAt, -daysAhead * day),
      title: `Renewal invoice of ${formatCents(renewal.price)}`,
      detail:
        openInvoices.length > 0
          ? `For ${renewal.planName}, unless another invoice is still open`
          : `For ${renewal.planName}`,
    })
  for (const count of reminderDays)
    events.push({
      at: shifted(endsAt, -count * day),
      title: `Reminder: the subscription ends in ${days(count)}`,
      detail: 'Not sent while a payment waits for confirmation',
    })
  events.push({ at: endsAt, title: 'Subscription ends', detail: endDetail(hasLine, graceDays) })
  if (hasLine && graceDays > 0)
    events.push({ at: shifted(endsAt, graceDays * day), title: 'Line is disabled', detail: null })
  return events
}

function endDetail(hasLine: boolean, graceDays: number): string | null {
  if (!hasLine) return null
  return graceDays > 0 ? `${days(graceDays)} of grace, then the line is disabled` : 'The line is disabled'
}

const ofInvoices = ({ openInvoices, settings }: ComingUpFacts): ComingUp[] =>
  openInvoices.flatMap(({ invoiceNumber, amount, expiresAt, isSubmitted, isReminded }) => [
    ...(isReminded && settings.reminderHours > 0
      ? [
          {
            at: shifted(expiresAt, -settings.reminderHours * hour),
            title: `Reminder: order ${invoiceNumber} is not paid`,
            detail: null,
          },
        ]
      : []),
    {
      at: expiresAt,
      title: `Invoice ${invoiceNumber} expires`,
      detail: `${formatCents(amount)}, ${isSubmitted ? 'unless the payment is confirmed' : 'unless it is paid'}`,
    },
  ])

const ofSegments = ({ segments }: ComingUpFacts): ComingUp[] =>
  segments.map(({ planName, connections, startsAt }) => ({
    at: startsAt,
    title: `${planName} begins`,
    detail: `The line changes to ${connectionsText(connections)}`,
  }))
