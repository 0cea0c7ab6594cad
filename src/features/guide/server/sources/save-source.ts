import { eq, sql } from 'drizzle-orm'
import { audit, changedFields } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { guideSources } from '#server/db/tables.ts'
import { conflict, invalid, notFound, tooMany } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed, notifyGuide } from '#server/live/notify.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { sealedColumns } from '#server/secrets/sealed-columns.ts'
import type { Actor } from '#server/session/actor.ts'
import type { GuideSource, SourceForm } from '../../admin-contract.ts'
import { maxSources } from '../../source-rules.ts'
import { sourceById } from './list-sources.ts'

type Context = { db: Db; config: Config }
type StoredSource = typeof guideSources.$inferSelect

/** Adds a source, and requests that it be read if it has an address and is enabled. Throws 400 for a taken name, 409 for too many sources. */
export const createSource = (
  { db, config }: Context,
  { address, ...fields }: SourceForm,
  actor: Actor,
): Promise<GuideSource> =>
  refusingTakenName(() =>
    inTransaction(db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('guide'), 0)`)
      const [counted] = await tx.select({ sources: sql<number>`count(*)::int` }).from(guideSources)
      if (counted!.sources >= maxSources)
        return conflict('too_many_sources', `There can be at most ${maxSources} sources.`)
      const [row] = await tx.insert(guideSources).values(fields).returning({ id: guideSources.id })
      if (address !== '') await storeAddress(tx, config, row!.id, address, fields.enabled)
      const after = { ...fields, host: hostOf(address) }
      await audit(tx, { ...auditTarget(actor, row!.id), action: 'guide_source.create', after })
      return notifyAndRead(tx, config, row!.id)
    }),
  )

/** Changes a source; an empty address keeps the stored one. Throws 404, 400 for a taken name, and 409 `stale`. */
export const updateSource = (
  { db, config }: Context,
  id: number,
  { address, version, ...form }: SourceForm & { version: number },
  actor: Actor,
): Promise<GuideSource> =>
  refusingTakenName(() =>
    inTransaction(db, async (tx) => {
      const before = await lockSource(tx, id, version)
      const fields = { ...form, shownAs: form.shownAs ?? before.shownAs }
      const isDue = fields.enabled && before.sealed !== null && (!before.enabled || fields.zone !== before.zone)
      await tx
        .update(guideSources)
        .set({
          ...fields,
          version: sql`${guideSources.version} + 1`,
          ...(!fields.enabled && { nextAt: null }),
          // In another zone the times in the file mean other instants, so the next request must not be conditional.
          ...(isDue && { nextAt: sql`now()`, etag: null, lastModified: null }),
        })
        .where(eq(guideSources.id, id))
      if (address !== '') await storeAddress(tx, config, id, address, fields.enabled)
      const host = address === '' ? {} : { host: hostOf(address) }
      await audit(tx, {
        ...auditTarget(actor, id),
        action: 'guide_source.update',
        ...changedFields(before, { ...fields, ...host }),
      })
      return notifyAndRead(tx, config, id)
    }),
  )

/** Deletes a source with its listings, programs and matches. Throws 404, and 409 `stale`. */
export const deleteSource = (db: Db, id: number, version: number, actor: Actor): Promise<{ deleted: true }> =>
  inTransaction(db, async (tx) => {
    const { name } = await lockSource(tx, id, version)
    await tx.delete(guideSources).where(eq(guideSources.id, id))
    await audit(tx, { ...auditTarget(actor, id), action: 'guide_source.delete', before: { name } })
    await changed(tx, ['guide_source', 'guide'])
    return { deleted: true as const }
  })

/** Requests that a source be read now. Throws 404, 409 if it has no address or is being read, and 429 within ten minutes of the last request. */
export const requestRead = (db: Db, id: number, actor: Actor): Promise<{ requested: true }> =>
  inTransaction(db, async (tx) => {
    const [source] = await tx
      .select({
        sealed: guideSources.sealed,
        state: guideSources.state,
        waitSeconds: sql<number>`extract(epoch from ${guideSources.askedAt} + make_interval(mins => ${limits.guide.requestGapMinutes}) - now())::float8`,
      })
      .from(guideSources)
      .where(eq(guideSources.id, id))
      .for('no key update')
    if (!source) return notFound('There is no such source')
    if (source.sealed === null) return conflict('no_address', 'This source has no address. Upload a file instead.')
    if (source.state === 'reading') return conflict('reading', 'This source is being read right now.')
    if (source.waitSeconds !== null && source.waitSeconds > 0)
      return tooMany(
        source.waitSeconds,
        'A source can be read on request once every ten minutes. Please try again later.',
      )
    await tx.update(guideSources).set({ askedAt: sql`now()`, nextAt: sql`now()` }).where(eq(guideSources.id, id))
    await audit(tx, { ...auditTarget(actor, id), action: 'guide_source.read' })
    await changed(tx, 'guide_source')
    await notifyGuide(tx)
    return { requested: true as const }
  })

async function lockSource(tx: Tx, id: number, version: number): Promise<StoredSource> {
  const [source] = await tx.select().from(guideSources).where(eq(guideSources.id, id)).for('update')
  if (!source) return notFound('There is no such source')
  if (source.version !== version)
    return conflict('stale', 'Another administrator has changed this source. Nothing was changed.')
  return source
}

async function storeAddress(tx: Tx, config: Config, id: number, address: string, enabled: boolean): Promise<void> {
  const sealed = seal(secretKey(config), address, sealedColumns.guideAddress.context(id))
  const due = enabled ? sql`now()` : null
  await tx
    .update(guideSources)
    .set({ sealed, etag: null, lastModified: null, nextAt: due })
    .where(eq(guideSources.id, id))
}

async function notifyAndRead(tx: Tx, config: Config, id: number): Promise<GuideSource> {
  await changed(tx, 'guide_source')
  await notifyGuide(tx)
  return (await sourceById(tx, config, id))!
}

const hostOf = (address: string): string | null => URL.parse(address)?.host ?? null
const auditTarget = ({ admin, requestId }: Actor, targetId: number) => ({
  actorId: admin.id,
  targetType: 'guide_source',
  targetId,
  requestId,
})

/** Runs `work`. Throws 400 on `name` if `work` stores a name that another source has. */
async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violationOf(error)?.constraint === 'guide_sources_name')
      return invalid('name', 'There is already a source with this name')
    throw error
  }
}
