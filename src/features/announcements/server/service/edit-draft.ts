import { and, eq, sql } from 'drizzle-orm'
import { audit, changedFields } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { announcements } from '#server/db/tables.ts'
import { conflict, invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { AdminAnnouncement, AnnouncementFields } from '../../admin-contract.ts'
import { knownPlans, lockAnnouncement, readAnnouncement } from './read-announcements.ts'

type Row = typeof announcements.$inferSelect

/** Saves a new draft. Throws 400 on the invalid field. */
export async function createDraft(
  db: Db,
  fields: AnnouncementFields,
  { admin, requestId }: Actor,
): Promise<AdminAnnouncement> {
  return inTransaction(db, async (tx) => {
    const values = await columnsOf(tx, fields)
    const [made] = await tx
      .insert(announcements)
      .values({ ...values, createdBy: admin.id })
      .returning({ id: announcements.id })
    const targetId = made!.id
    await audit(tx, {
      ...{ actorId: admin.id, action: 'announcement.create', targetType: 'announcement', targetId, requestId },
      after: values,
    })
    await changed(tx, 'announcement')
    return readAnnouncement(tx, targetId)
  })
}

/** Changes a draft. Throws 400 with the field that is invalid, 404, and 409 for a stale version or a published announcement. */
export async function updateDraft(
  db: Db,
  id: number,
  { version, ...fields }: AnnouncementFields & { version: number },
  { admin, requestId }: Actor,
): Promise<AdminAnnouncement> {
  return inTransaction(db, async (tx) => {
    const before = await lockDraft(tx, id, version)
    const values = await columnsOf(tx, fields)
    await tx
      .update(announcements)
      .set({ ...values, version: sql`${announcements.version} + 1` })
      .where(and(eq(announcements.id, id), eq(announcements.state, 'draft'), eq(announcements.version, version)))
    await audit(tx, {
      ...{ actorId: admin.id, action: 'announcement.update', targetType: 'announcement', targetId: id, requestId },
      ...changedFields(before, values),
    })
    await changed(tx, 'announcement')
    return readAnnouncement(tx, id)
  })
}

/** Deletes a draft. Throws 404, and 409 for a published announcement. */
export async function deleteDraft(db: Db, id: number, { admin, requestId }: Actor): Promise<{ id: number }> {
  return inTransaction(db, async (tx) => {
    const { title } = await lockDraft(tx, id)
    await tx.delete(announcements).where(and(eq(announcements.id, id), eq(announcements.state, 'draft')))
    await audit(tx, {
      ...{ actorId: admin.id, action: 'announcement.delete', targetType: 'announcement', targetId: id, requestId },
      before: { title },
    })
    await changed(tx, 'announcement')
    return { id }
  })
}

/** Locks a draft. Throws 404, 409 `published` if it is no longer a draft, and 409 `stale` if its version is not `version`. */
export async function lockDraft(tx: Tx, id: number, version?: number): Promise<Row> {
  const found = await lockAnnouncement(tx, id)
  if (found.state !== 'draft')
    return conflict('published', 'This announcement is already published. Nothing was changed.')
  if (version !== undefined && found.version !== version)
    return conflict('stale', 'This draft has changed since you opened it. Nothing was changed.')
  return found
}

/** Returns the columns of a draft. Throws 400 with the field if values contradict each other. */
async function columnsOf(tx: Tx, fields: AnnouncementFields): Promise<AnnouncementFields> {
  const { audience, linkLabel, linkPath, onSite, emails, siteUntil } = fields
  const planIds = audience === 'plans' ? [...new Set(fields.planIds)].sort((a, b) => a - b) : []
  if (audience === 'plans' && planIds.length === 0) invalid('planIds', 'Please choose a plan')
  if ((await knownPlans(tx, planIds)).length < planIds.length) invalid('planIds', 'A chosen plan no longer exists')
  if (linkLabel !== '' && linkPath === '') invalid('linkPath', 'Please enter the page that the link opens')
  if (linkPath !== '' && linkLabel === '') invalid('linkLabel', 'Please enter the link text')
  if (!onSite && !emails) invalid('onSite', 'Please choose the site, email or both')
  if (onSite) await checkUntil(tx, siteUntil)
  return { ...fields, planIds, siteUntil: onSite ? siteUntil : null }
}

/** Throws 400 if the time until which the site shows an announcement is over by the database clock. */
export async function checkUntil(tx: Tx, siteUntil: string | null): Promise<void> {
  if (siteUntil === null) return
  const { rows } = await tx.execute<{ over: boolean }>(sql`select ${siteUntil}::timestamptz <= now() as over`)
  if (rows[0]!.over) invalid('siteUntil', 'Please enter a time in the future')
}
