import { and, desc, eq, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { guideSources, guideUploads } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'

export type ClaimedSource = typeof guideSources.$inferSelect & {
  /** The uploaded file to read; null to read the address of the source. */
  upload: { id: string; parts: number } | null
  /** Whether no program of the source is stored, for example after a restore. The request must then not be conditional. */
  hasNoPrograms: boolean
}

const claimEnd = sql`now() + make_interval(secs => ${limits.guide.claimSeconds})`
const isClaimed = sql`${guideSources.heldUntil} > now()`

/** Claims for this process the source that has been due the longest. Returns undefined if none is due, or while any process is reading a source. */
export const claimSource = (db: Db): Promise<ClaimedSource | undefined> =>
  inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('guide'), 0)`)
    const [claimed] = await tx.select({ id: guideSources.id }).from(guideSources).where(isClaimed).limit(1)
    if (claimed) return undefined
    // A source in the state `reading` without a claim was abandoned by a process that ended.
    const [due] = await tx
      .select()
      .from(guideSources)
      .where(or(lte(guideSources.nextAt, sql`now()`), eq(guideSources.state, 'reading')))
      .orderBy(guideSources.nextAt, guideSources.id)
      .limit(1)
    if (!due) return undefined
    await tx
      .update(guideSources)
      .set({ state: 'reading', heldUntil: claimEnd, nextAt: null })
      .where(eq(guideSources.id, due.id))
    await changed(tx, 'guide_source')
    const upload = await uploadToRead(tx, due)
    const { rows } = await tx.execute<{ empty: boolean }>(sql`select not exists (
      select from guide_channels c where c.source_id = ${due.id}
        and exists (select from guide_programs p where p.guide_channel_id = c.id)) as empty`)
    return { ...due, upload, hasNoPrograms: rows[0]!.empty }
  })

/**
 * Returns the latest upload to read, or null. If the source has no address, its last upload is read again, because newly matched channels need the
 * whole file.
 */
async function uploadToRead(tx: Tx, { id, sealed }: typeof guideSources.$inferSelect) {
  const [upload] = await tx
    .select({ id: guideUploads.id, parts: guideUploads.parts })
    .from(guideUploads)
    .where(
      and(
        eq(guideUploads.sourceId, id),
        isNotNull(guideUploads.parts),
        sealed === null ? undefined : eq(guideUploads.isRead, false),
      ),
    )
    .orderBy(desc(guideUploads.createdAt))
    .limit(1)
  return upload ? { id: upload.id, parts: upload.parts! } : null
}

/** Extends the claim of this process. Returns false if the source was deleted. */
export async function extendClaim(db: Db, id: number): Promise<boolean> {
  const extended = await db
    .update(guideSources)
    .set({ heldUntil: claimEnd })
    .where(eq(guideSources.id, id))
    .returning({ id: guideSources.id })
  return extended.length > 0
}

type Outcome = Partial<Pick<ClaimedSource, 'programs' | 'bytes' | 'etag' | 'lastModified'>> & {
  state: 'read' | 'failed' | 'waiting'
  note: string
  isRead: boolean
}

/** Stores the outcome and when the source is due again, and ends the claim. A read that was requested in the meantime stays due and will be a full read. */
export const releaseSource = (
  db: Db,
  { id, upload }: ClaimedSource,
  { isRead, ...outcome }: Outcome,
  random = Math.random,
) =>
  inTransaction(db, async (tx) => {
    const { everyHours, jitterHours, retryHours } = limits.guide
    const hours = outcome.state === 'waiting' ? 0 : isRead ? everyHours + (2 * random() - 1) * jitterHours : retryHours
    await tx
      .update(guideSources)
      .set({
        ...outcome,
        ...(isRead && { readAt: sql`now()` }),
        ...('etag' in outcome && {
          etag: sql`case when ${guideSources.nextAt} is null then ${outcome.etag ?? null} end`,
          lastModified: sql`case when ${guideSources.nextAt} is null then ${outcome.lastModified ?? null} end`,
        }),
        heldUntil: null,
        nextAt: sql`coalesce(${guideSources.nextAt}, case when ${outcome.state === 'waiting'} or (${guideSources.enabled} and ${guideSources.sealed} is not null)
          then now() + make_interval(secs => ${Math.round(hours * 3_600)}) end)`,
      })
      .where(eq(guideSources.id, id))
    if (upload && outcome.state !== 'waiting')
      await tx.update(guideUploads).set({ isRead: true }).where(eq(guideUploads.id, upload.id))
    await changed(tx, isRead ? ['guide_source', 'guide'] : 'guide_source')
    if (isRead) await notifyCatalog(tx)
  })
