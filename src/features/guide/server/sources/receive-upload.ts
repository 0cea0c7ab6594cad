import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { guideSources, guideUploadParts, guideUploads } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed, notifyGuide } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'

type Upload = { sourceId: number; uploadId: string }

/** Stores one part of a file; a part that is sent again replaces the stored one. Throws 404 for an unknown source, 409 if the upload was finished. */
export const storePart = (
  db: Db,
  { sourceId, uploadId, part }: Upload & { part: number },
  bytes: Uint8Array,
): Promise<{ received: number }> =>
  inTransaction(db, async (tx) => {
    const [source] = await tx
      .select({ id: guideSources.id })
      .from(guideSources)
      .where(eq(guideSources.id, sourceId))
      .for('key share')
    if (!source) return notFound('There is no such source')
    await tx.insert(guideUploads).values({ id: uploadId, sourceId }).onConflictDoNothing()
    const [upload] = await tx
      .select({ id: guideUploads.id })
      .from(guideUploads)
      .where(and(eq(guideUploads.id, uploadId), eq(guideUploads.sourceId, sourceId), isNull(guideUploads.parts)))
      .for('no key update')
    if (!upload) return conflict('complete', 'This upload is already finished. Please start again.')
    await tx
      .insert(guideUploadParts)
      .values({ uploadId, part, bytes: Buffer.from(bytes) })
      .onConflictDoUpdate({
        target: [guideUploadParts.uploadId, guideUploadParts.part],
        set: { bytes: sql`excluded.bytes` },
      })
    return { received: bytes.byteLength }
  })

/** Finishes an upload and requests that it be read. Deletes the other uploads of the source. Throws 404 for an unknown upload, and 409 if a part is missing. */
export const finishUpload = (
  db: Db,
  { sourceId, uploadId, parts }: Upload & { parts: number },
  { admin, requestId }: Actor,
): Promise<{ requested: true }> =>
  inTransaction(db, async (tx) => {
    const [upload] = await tx
      .select({ parts: guideUploads.parts })
      .from(guideUploads)
      .where(and(eq(guideUploads.id, uploadId), eq(guideUploads.sourceId, sourceId)))
      .for('update')
    if (!upload) return notFound('There is no such upload')
    const [sent] = await tx
      .select({
        count: sql<number>`count(*)::int`,
        bytes: sql<number>`coalesce(sum(length(${guideUploadParts.bytes})), 0)::float8`,
      })
      .from(guideUploadParts)
      .where(and(eq(guideUploadParts.uploadId, uploadId), sql`${guideUploadParts.part} < ${parts}`))
    if (sent!.count < parts) return conflict('incomplete', 'A part of the file is missing. Please upload it again.')
    await tx.update(guideUploads).set({ parts }).where(eq(guideUploads.id, uploadId))
    await tx.delete(guideUploads).where(and(eq(guideUploads.sourceId, sourceId), ne(guideUploads.id, uploadId)))
    await tx.update(guideSources).set({ nextAt: sql`now()` }).where(eq(guideSources.id, sourceId))
    await audit(tx, {
      actorId: admin.id,
      action: 'guide_source.upload',
      targetType: 'guide_source',
      targetId: sourceId,
      after: { bytes: sent!.bytes },
      requestId,
    })
    await changed(tx, 'guide_source')
    await notifyGuide(tx)
    return { requested: true as const }
  })
