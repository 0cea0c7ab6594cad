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
/** How far back an incident may have begun, and how far ahead maintenance may be planned. */
const maxDaysBack = 90
const maxDaysAhead = 366

type Fields = Omit<NewIncident, 'startsAt' | 'plannedUntil'> & {
  startsAt?: Instant | null | undefined
  plannedUntil?: Instant | null | undefined
  caseId?: number
}

/** Publishes an incident. Throws 400 on the field for dates that do not fit its kind. */
export const openIncident = (db: Db, fields: Fields, actor: Actor): Promise<AdminIncident> =>
  inTransaction(db, (tx) => insertIncident(tx, fields, actor))

/** The update that customers read first when a problem is published for a case. */
export const caseText = 'Customers report a problem. We are looking into it.'

/**
 * Publishes a problem for a case of reports, with its channel if it has one. The text of a customer is never published: without a channel the title is
 * general. Throws 404, and 409 for a solved case or one that has an open incident.
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
  const now = await clock(tx)
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
  await publish(tx)
  return readIncident(tx, incidentId)
}

/** Refreshes the status page in all processes, and the lists of administrators, at commit. */
export async function publish(tx: Db | Tx): Promise<void> {
  await notifyCatalog(tx)
  await changed(tx, 'incident')
}

/** The time of the database. */
export async function clock(tx: Tx): Promise<Instant> {
  const { rows } = await tx.execute<{ now: string }>(sql`select now() as now`)
  return new Date(rows[0]!.now).toISOString()
}

/** Throws 400 on the field for dates that do not fit. `now` is the time of the database. */
export function checkDates(
  kind: NewIncident['kind'],
  startsAt: Instant,
  plannedUntil: Instant | null,
  now: Instant,
): void {
  const [start, current] = [Date.parse(startsAt), Date.parse(now)]
  const end = plannedUntil === null ? null : Date.parse(plannedUntil)
  if (start < current - maxDaysBack * dayMs)
    invalid('startsAt', `It must have begun within the last ${maxDaysBack} days`)
  if (kind !== 'maintenance') {
    if (start > current + 60_000) invalid('startsAt', 'It must have begun already. Plan maintenance instead.')
    if (end !== null) invalid('plannedUntil', 'Only maintenance has a planned end')
    return
  }
  if (end === null) {
    invalid('plannedUntil', 'Maintenance needs a planned end')
    return
  }
  if (start > current + maxDaysAhead * dayMs) invalid('startsAt', 'It must begin within a year')
  if (end <= start) invalid('plannedUntil', 'The planned end must be after the start')
  if (end <= current) invalid('plannedUntil', 'The planned end must be in the future')
  if (end > start + 30 * dayMs) invalid('plannedUntil', 'Maintenance must end within 30 days')
}
