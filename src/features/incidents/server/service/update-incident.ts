import { and, eq, isNull, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { closeCase } from '#features/reports/server/service/cases/decide-case.ts'
import { audit, changedFields } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { incidents, incidentUpdates } from '#server/db/tables.ts'
import { conflict, invalid, notFound } from '#server/errors.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminIncident, incidentEnd, incidentUpdate } from '../../admin-contract.ts'
import { checkDates, databaseTime, notifyIncidentChange } from './open-incident.ts'
import { readIncident } from './read-incidents.ts'

type Row = typeof incidents.$inferSelect
type Versioned<T> = T & { version: number }

/**
 * Publishes an update of an incident, optionally with a new kind or planned end. Throws 400 on the invalid field, 404, and 409 for a stale version
 * and for an incident that has ended or was withdrawn.
 */
export async function updateIncident(
  db: Db,
  id: number,
  { version, text, kind, plannedUntil }: Versioned<z.output<typeof incidentUpdate>>,
  actor: Actor,
): Promise<AdminIncident> {
  return inTransaction(db, async (tx) => {
    const before = await lockOpen(tx, id, version)
    const next = { kind: kind ?? before.kind, plannedUntil: plannedUntil ?? before.plannedUntil }
    if ((next.kind === 'maintenance') !== (before.kind === 'maintenance'))
      invalid('kind', 'Maintenance cannot become an incident, and an incident cannot become maintenance')
    if (plannedUntil) checkDates(next.kind, before.startsAt, plannedUntil, await databaseTime(tx))
    await setIncident(tx, before, next)
    await addUpdate(
      tx,
      before,
      { action: 'incident.update', text, ...changedFields(auditedFields(before), next) },
      actor,
    )
    return readIncident(tx, id)
  })
}

/**
 * Ends an incident. With `notifies`, the waiting reports of its case are resolved with the text as the note, and each reporter gets one email; for a
 * case with very many reports, a job resolves the remaining ones. Throws 400 on the invalid field, 404, and 409 for a stale version and for an
 * incident that has ended, was withdrawn or has not begun.
 */
export async function endIncident(
  db: Db,
  id: number,
  { version, text, endedAt, notifies }: Versioned<z.output<typeof incidentEnd>>,
  actor: Actor,
): Promise<AdminIncident> {
  return inTransaction(db, async (tx) => {
    const before = await lockOpen(tx, id, version)
    const now = await databaseTime(tx)
    if (Date.parse(before.startsAt) > Date.parse(now))
      return conflict('not_begun', 'This incident has not begun. Withdraw it instead.')
    const end = endedAt ?? now
    if (Date.parse(end) > Date.parse(now)) invalid('endedAt', 'The end must not be in the future')
    if (Date.parse(end) < Date.parse(before.startsAt)) invalid('endedAt', 'The end must not be before the start')
    await addUpdate(tx, before, { action: 'incident.end', text, after: { endedAt: end } }, actor)
    const left = notifies && before.caseId !== null ? await closeCase(tx, before.caseId, text, actor) : 0
    await setIncident(tx, before, { endedAt: end, notifies: left > 0 })
    return readIncident(tx, id)
  })
}

/** Removes an incident from the status page. Throws 404, and 409 for a stale version and for an incident that has ended or was withdrawn. */
export async function withdrawIncident(db: Db, id: number, version: number, actor: Actor): Promise<AdminIncident> {
  return inTransaction(db, async (tx) => {
    const before = await lockOpen(tx, id, version)
    await setIncident(tx, before, { withdrawnAt: await databaseTime(tx) })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'incident.withdraw',
      targetType: 'incident',
      targetId: id,
      before: { title: before.title },
      requestId: actor.requestId,
    })
    await notifyIncidentChange(tx)
    return readIncident(tx, id)
  })
}

async function lockOpen(tx: Tx, id: number, version: number): Promise<Row> {
  const [found] = await tx.select().from(incidents).where(eq(incidents.id, id)).for('update')
  if (!found) return notFound('Incident not found')
  if (found.endedAt !== null) return conflict('ended', 'This incident has ended. Nothing was changed.')
  if (found.withdrawnAt !== null) return conflict('ended', 'This incident was withdrawn. Nothing was changed.')
  if (found.version !== version)
    return conflict('stale', 'This incident has changed since you opened it. Nothing was changed.')
  return found
}

async function setIncident(tx: Tx, { id, version }: Row, values: Partial<Row>): Promise<void> {
  const changedRows = await tx
    .update(incidents)
    .set({ ...values, version: sql`${incidents.version} + 1` })
    .where(and(eq(incidents.id, id), eq(incidents.version, version), isNull(incidents.endedAt)))
    .returning({ id: incidents.id })
  if (changedRows.length === 0) conflict('stale', 'This incident has changed since you opened it. Nothing was changed.')
}

const auditedFields = ({ kind, plannedUntil }: Row) => ({ kind, plannedUntil })

type IncidentChange = {
  action: 'incident.update' | 'incident.end'
  text: string
  before?: Record<string, unknown>
  after: Record<string, unknown>
}
async function addUpdate(
  tx: Tx,
  { id }: Row,
  { action, text, before, after }: IncidentChange,
  { admin, requestId }: Actor,
): Promise<void> {
  await tx.insert(incidentUpdates).values({ incidentId: id, body: text, createdBy: admin.id })
  await audit(tx, {
    ...{ actorId: admin.id, action, targetType: 'incident', targetId: id, requestId },
    ...(before && { before }),
    after: { ...after, text },
  })
  await notifyIncidentChange(tx)
}
