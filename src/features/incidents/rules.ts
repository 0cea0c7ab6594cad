import type { Incident, IncidentKind } from './contract.ts'

export const kindNames: Record<IncidentKind, string> = {
  problem: 'Problem',
  outage: 'Outage',
  maintenance: 'Maintenance',
}

/** From harmless to severe. */
const severity: IncidentKind[] = ['maintenance', 'problem', 'outage']
const rank = (kind: IncidentKind | null): number => (kind === null ? -1 : severity.indexOf(kind))
/** The more severe of two states; null means no incident. */
export const worse = (one: IncidentKind | null, other: IncidentKind | null): IncidentKind | null =>
  rank(other) > rank(one) ? other : one
/** The worst state of several incidents; null without any. */
export const worstOf = (incidents: readonly { kind: IncidentKind }[]): IncidentKind | null =>
  incidents.reduce<IncidentKind | null>((worst, { kind }) => worse(worst, kind), null)

const dayMs = 86_400_000
/** The last `count` days in UTC until `now`, the oldest first, each with the worst incident on that day. An incident that has not ended lasts until `now`. */
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
      // An incident without duration counts on its day.
      return since < Math.min(from + dayMs, now.getTime() + 1) && (until > from || since >= from)
    })
    return { day: new Date(from).toISOString().slice(0, 10), state: worstOf(during) }
  })
}
