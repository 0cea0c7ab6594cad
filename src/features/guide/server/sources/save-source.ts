import { eq, sql } from 'drizzle-orm'
import { audit, changes } from '#server/audit.ts'
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
import { mostSources } from '../../source-rules.ts'
import { sourceById } from './list-sources.ts'

type Context = { db: Db; config: Config }
type Stored = typeof guideSources.$inferSelect

/** Adds a source, which is read at once if it has an address. Throws 400 for a name that is taken, 409 for too many sources. */
export const createSource = (
  { db, config }: Context,
  { address, ...fields }: SourceForm,
  actor: Actor,
): Promise<GuideSource> =>
  namedOnce(() =>
    inTransaction(db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('guide'), 0)`)
      const [counted] = await tx.select({ sources: sql<number>`count(*)::int` }).from(guideSources)
      if (counted!.sources >= mostSources) return conflict('too_many_sources', `There can be ${mostSources} sources.`)
      const [row] = await tx.insert(guideSources).values(fields).returning({ id: guideSources.id })
      if (address !== '') await storeAddress(tx, config, row!.id, address, fields.enabled)
      const after = { ...fields, host: hostOf(address) }
      await audit(tx, { ...entry(actor, row!.id), action: 'guide_source.create', after })
      return published(tx, config, row!.id)
    }),
  )

/** Changes a source; an empty address keeps the stored one. Throws 404, 400 for a name that is taken, and 409 `stale`. */
export const updateSource = (
  { db, config }: Context,
  id: number,
  { address, version, ...fields }: SourceForm & { version: number },
  actor: Actor,
): Promise<GuideSource> =>
  namedOnce(() =>
    inTransaction(db, async (tx) => {
      const before = await lockSource(tx, id, version)
      const isDue = fields.enabled && before.sealed !== null && (!before.enabled || fields.zone !== before.zone)
      await tx
        .update(guideSources)
        .set({
          ...fields,
          version: sql`${guideSources.version} + 1`,
          ...(!fields.enabled && { nextAt: null }),
          // The times in the file mean something else in another zone, so the whole file is read again.
          ...(isDue && { nextAt: sql`now()`, etag: null, lastModified: null }),
        })
        .where(eq(guideSources.id, id))
      if (address !== '') await storeAddress(tx, config, id, address, fields.enabled)
      const host = address === '' ? {} : { host: hostOf(address) }
      await audit(tx, {
        ...entry(actor, id),
        action: 'guide_source.update',
        ...changes(before, { ...fields, ...host }),
      })
      return published(tx, config, id)
    }),
  )

/** Deletes a source with its listings, programs and matches. Throws 404, and 409 `stale`. */
export const deleteSource = (db: Db, id: number, version: number, actor: Actor): Promise<{ deleted: true }> =>
  inTransaction(db, async (tx) => {
    const { name } = await lockSource(tx, id, version)
    await tx.delete(guideSources).where(eq(guideSources.id, id))
    await audit(tx, { ...entry(actor, id), action: 'guide_source.delete', before: { name } })
    await changed(tx, ['guide_source', 'guide'])
    return { deleted: true as const }
  })

/** Requests a reading. Throws 404, 409 for a source without an address or that is being read, and 429 within ten minutes of the last request. */
export const requestReading = (db: Db, id: number, actor: Actor): Promise<{ requested: true }> =>
  inTransaction(db, async (tx) => {
    const [source] = await tx
      .select({
        sealed: guideSources.sealed,
        state: guideSources.state,
        wait: sql<number>`extract(epoch from ${guideSources.askedAt} + make_interval(mins => ${limits.guide.askedMinutes}) - now())::float8`,
      })
      .from(guideSources)
      .where(eq(guideSources.id, id))
      .for('no key update')
    if (!source) return notFound('There is no such source')
    if (source.sealed === null) return conflict('no_address', 'This source has no address. Upload a file instead.')
    if (source.state === 'reading') return conflict('reading', 'This source is being read right now.')
    if (source.wait !== null && source.wait > 0)
      return tooMany(source.wait, 'This source can be read by hand once in ten minutes. Please try again later.')
    await tx.update(guideSources).set({ askedAt: sql`now()`, nextAt: sql`now()` }).where(eq(guideSources.id, id))
    await audit(tx, { ...entry(actor, id), action: 'guide_source.read' })
    await changed(tx, 'guide_source')
    await notifyGuide(tx)
    return { requested: true as const }
  })

async function lockSource(tx: Tx, id: number, version: number): Promise<Stored> {
  const [source] = await tx.select().from(guideSources).where(eq(guideSources.id, id)).for('update')
  if (!source) return notFound('There is no such source')
  if (source.version !== version)
    return conflict('stale', 'Another administrator has changed this source. Nothing was changed.')
  return source
}

async function storeAddress(tx: Tx, config: Config, id: number, address: string, enabled: boolean): Promise<void> {
  const sealed = seal(secretKey(config), address, sealedColumns.guideAddress.place(id))
  const due = enabled ? sql`now()` : null
  await tx
    .update(guideSources)
    .set({ sealed, etag: null, lastModified: null, nextAt: due })
    .where(eq(guideSources.id, id))
}

async function published(tx: Tx, config: Config, id: number): Promise<GuideSource> {
  await changed(tx, 'guide_source')
  await notifyGuide(tx)
  return (await sourceById(tx, config, id))!
}

const hostOf = (address: string): string | null => URL.parse(address)?.host ?? null
const entry = ({ admin, requestId }: Actor, targetId: number) => ({
  actorId: admin.id,
  targetType: 'guide_source',
  targetId,
  requestId,
})

/** Names are unique without case. */
async function namedOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violationOf(error)?.constraint === 'guide_sources_name')
      return invalid('name', 'There is a source of this name')
    throw error
  }
}
