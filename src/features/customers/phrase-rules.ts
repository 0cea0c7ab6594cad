import { connectionsText } from '#features/iptv/rules.ts'
import { statusNames } from '#features/subscriptions/rules.ts'
import type { Instant } from '#kit/dates.ts'
import type { TimelineEntry } from './admin-timeline-contract.ts'

type Fields = Record<string, unknown> | null

/** The data from which the texts of an audit entry are built. */
export interface AuditFacts {
  /** The username of the administrator or customer; null for the system. */
  actor: string | null
  /** Whether the customer acted. */
  isOwn: boolean
  before: Fields
  after: Fields
  /** The invoice that the entry is about. */
  invoice: { number: string; amount: number } | null
  /** The name of the content that the report is about. */
  report: string | null
  planNames: ReadonlyMap<number, string>
}

export interface Phrase {
  title: string
  /** Parts of the second line; empty ones are left out. */
  detail?: readonly (string | null | undefined | false)[]
  /** What precedes the actor's name; null leaves the actor out. */
  by?: string | null
  tone?: TimelineEntry['tone'] | undefined
}

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
/** Formats a day as `Nov 26, 2026`, in UTC. */
export const dayText = (at: Instant): string => day.format(new Date(at))

export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(fields: Fields, name: string): number | undefined {
  const value = fields?.[name]
  return typeof value === 'number' ? value : undefined
}

export function quoted(fields: Fields, name: string): string | undefined {
  const text = textOf(fields, name)
  return text && `“${text}”`
}

/** Returns `words` with the day of an instant field, such as `Until Nov 26, 2026`. */
export function dateOf(fields: Fields, name: string, words: string): string | undefined {
  const text = textOf(fields, name)
  return text && !Number.isNaN(Date.parse(text)) ? `${words} ${dayText(text)}` : undefined
}

export const connectionsOf = (fields: Fields): string => connectionsText(numberOf(fields, 'connections') ?? 0)

/** Returns the state of a line that the panel confirmed, such as `until Nov 26, 2026, 2 connections`. */
export const lineState = (fields: Fields): string | undefined =>
  [dateOf(fields, 'until', 'until'), numberOf(fields, 'connections') !== undefined && connectionsOf(fields)]
    .filter(Boolean)
    .join(', ') || undefined

/** Returns by how many cents an administrator changed the credit. */
export function adjustment(before: Fields, after: Fields): number | undefined {
  const [from, to] = [numberOf(before, 'accountCredit'), numberOf(after, 'accountCredit')]
  return from === undefined || to === undefined ? undefined : to - from
}

/** Returns the changed parts of a profile, such as `email old@example.com is now new@example.com`. */
export const changedProfile = (before: Fields, after: Fields): string[] =>
  (
    [
      ['email', 'email'],
      ['fullName', 'name'],
    ] as const
  ).flatMap(([field, name]) =>
    after && field in after
      ? [`${name} ${textOf(before, field) ?? 'not set'} is now ${textOf(after, field) ?? 'not set'}`]
      : [],
  )

/** Returns the changed parts of a subscription: plan, status and dates. */
export function subscriptionState({ after, planNames }: Pick<AuditFacts, 'after' | 'planNames'>): string[] {
  if (!after) return []
  const status = textOf(after, 'status')
  const planId = numberOf(after, 'planId')
  const cleared = (name: string, words: string) => (name in after && after[name] === null ? words : undefined)
  return [
    planId === undefined ? cleared('planId', 'no plan') : (planNames.get(planId) ?? `plan ${planId}`),
    status && (statusNames[status as keyof typeof statusNames] ?? status),
    dateOf(after, 'startDate', 'from') ?? cleared('startDate', 'no start date'),
    dateOf(after, 'endDate', 'until') ?? cleared('endDate', 'no end date'),
  ].filter((part) => part !== undefined)
}
