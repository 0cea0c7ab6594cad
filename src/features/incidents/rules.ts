import type { Incident, IncidentKind } from './contract.ts'

export const kindNames: Record<IncidentKind, string> = {
  problem: 'Problem',
  outage: 'Outage',
  maintenance: 'Maintenance',
}

/** The kinds from least to most severe. */
const severity: IncidentKind[] = ['maintenance', 'problem', 'outage']
const rank = (kind: IncidentKind | null): number => (kind === null ? -1 : severity.indexOf(kind))
/** Returns the more severe of two kinds; null means no incident. */
export const worseOf = (one: IncidentKind | null, other: IncidentKind | null): IncidentKind | null =>
  rank(other) > rank(one) ? other : one
/** Returns the most severe kind of these incidents; null if there are none. */
export const worstOf = (incidents: readonly { kind: IncidentKind }[]): IncidentKind | null =>
  incidents.reduce<IncidentKind | null>((worst, { kind }) => worseOf(worst, kind), null)

const dayMs = 86_400_000
/**
 * Returns the last `count` days in UTC, oldest first and ending with the day of `now`. `state` is the worst kind of incident on that day. An incident
 * that has not ended lasts until `now`.
 */
export function daysUntil(
  now: Date,
  incidents: readonly Pick<Incident, 'kind' | 'startsAt' | 'endedAt'>[],
  count: number,
): { day: string; state: IncidentKind | null }[] {
  const today = Math.floor(now.getTime() / dayMs)
  return Array.from({ length: count }, (_, index) => {
    const from = (today - count + 1 + index) * dayMs
    const during = incidents.filter(({ startsAt, endedAt }) => {
      const until = endedAt === null ? now.getTime() : Date.parse(endedAt)
      const since = Date.parse(startsAt)
      // An incident that ends when it starts counts on the day of its start.
      return since < Math.min(from + dayMs, now.getTime() + 1) && (until > from || since >= from)
    })
    return { day: new Date(from).toISOString().slice(0, 10), state: worstOf(during) }
  })
}
