import { eq, sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { channels, incidents, incidentTargets, incidentUpdates, reportCases } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminIncident, NewIncident } from '../../admin-contract.ts'
import { readIncident } from './read-incidents.ts'

const dayMs = 86_400_000
/** How many days ago an incident may have begun, and how many days ahead maintenance may be planned. */
const maxDaysBack = 90
const maxDaysAhead = 366

type Fields = Omit<NewIncident, 'startsAt' | 'plannedUntil'> & {
  startsAt?: Instant | null | undefined
  plannedUntil?: Instant | null | undefined
  caseId?: number
}

/** Publishes an incident. Throws 400 on the date field if the dates are not allowed for its kind. */
export const openIncident = (db: Db, fields: Fields, actor: Actor): Promise<AdminIncident> =>
  inTransaction(db, (tx) => insertIncident(tx, fields, actor))

/** The text of the first update when a problem is published for a case of reports. */
export const caseText = 'Customers report a problem. We are looking into it.'

/**
 * Publishes a problem for a case of reports, with the channel of the case if it has one. Text from customers is never published, so the title is
 * general if there is no channel. Throws 404, and 409 for a solved case and for a case that already has an open incident.
 */
export async function openCaseIncident(db: Db, caseId: number, actor: Actor): Promise<AdminIncident> {
  try {
    return await inTransaction(db, async (tx) => {
      const [found] = await tx
        .select({ solvedAt: reportCases.solvedAt, channel: channels.name })
        .from(reportCases)
        .leftJoin(channels, eq(channels.id, reportCases.channelId))
        .where(eq(reportCases.id, caseId))
        .for('update', { of: reportCases })
      if (!found) return notFound('Case not found')
      if (found.solvedAt !== null) return conflict('solved', 'This case is solved. Nothing was changed.')
      const affected = { categories: [], channels: [found.channel ?? 'single channels or titles'] }
      const fields = { kind: 'problem' as const, title: titleOf(found.channel), text: caseText, ...affected, caseId }
      return insertIncident(tx, fields, actor)
    })
  } catch (error) {
    if (violationOf(error)?.constraint !== 'one_open_incident') throw error
    return conflict('already_open', 'The status page already shows an incident for this case.')
  }
}

const titleOf = (channel: string | null): string =>
  channel === null ? 'Customers report a problem' : `Problem with ${channel}`.slice(0, 120).trim()

async function insertIncident(
  tx: Tx,
  { kind, title, text, categories, channels, caseId, ...dates }: Fields,
  { admin, requestId }: Actor,
): Promise<AdminIncident> {
  const now = await databaseTime(tx)
  const startsAt = dates.startsAt ?? now
  checkDates(kind, startsAt, dates.plannedUntil ?? null, now)
  const begun = Date.parse(startsAt) <= Date.parse(now)
  const [made] = await tx
    .insert(incidents)
    .values({ kind, title, startsAt, plannedUntil: dates.plannedUntil, begun, caseId, createdBy: admin.id })
    .returning({ id: incidents.id })
  const incidentId = made!.id
  const targets = [
    ...[...new Set(categories)].map((name) => ({ incidentId, scope: 'category' as const, name })),
    ...[...new Set(channels)].map((name) => ({ incidentId, scope: 'channel' as const, name })),
  ]
  if (targets.length > 0) await tx.insert(incidentTargets).values(targets)
  await tx.insert(incidentUpdates).values({ incidentId, body: text, createdBy: admin.id })
  await audit(tx, {
    actorId: admin.id,
    action: 'incident.open',
    targetType: 'incident',
    targetId: incidentId,
    after: {
      kind,
      title,
      text,
      startsAt,
      plannedUntil: dates.plannedUntil ?? null,
      affected: targets.map((t) => t.name),
    },
    requestId,
  })
  await notifyIncidentChange(tx)
  return readIncident(tx, incidentId)
}

/** At commit, refreshes the status page in all processes and the open incident lists of administrators. */
export async function notifyIncidentChange(tx: Db | Tx): Promise<void> {
  await notifyCatalog(tx)
  await changed(tx, 'incident')
}

/** Returns the current time of the database. */
export async function databaseTime(tx: Tx): Promise<Instant> {
  const { rows } = await tx.execute<{ now: string }>(sql`select now() as now`)
  return new Date(rows[0]!.now).toISOString()
}

/** Throws 400 on the date field if the dates are not allowed for the kind of incident. `now` is the time of the database. */
export function checkDates(
  kind: NewIncident['kind'],
  startsAt: Instant,
  plannedUntil: Instant | null,
  now: Instant,
): void {
  const [start, current] = [Date.parse(startsAt), Date.parse(now)]
  const end = plannedUntil === null ? null : Date.parse(plannedUntil)
  if (start < current - maxDaysBack * dayMs)
    invalid('startsAt', `The start must not be more than ${maxDaysBack} days ago`)
  if (kind !== 'maintenance') {
    if (start > current + 60_000)
      invalid('startsAt', 'The start must not be in the future. You can plan maintenance instead.')
    if (end !== null) invalid('plannedUntil', 'Only maintenance has a planned end')
    return
  }
  if (end === null) {
    invalid('plannedUntil', 'Maintenance needs a planned end')
    return
  }
  if (start > current + maxDaysAhead * dayMs) invalid('startsAt', 'Maintenance must begin within a year')
  if (end <= start) invalid('plannedUntil', 'The planned end must be after the start')
  if (end <= current) invalid('plannedUntil', 'The planned end must be in the future')
  if (end > start + 30 * dayMs) invalid('plannedUntil', 'Maintenance must end within 30 days')
}
