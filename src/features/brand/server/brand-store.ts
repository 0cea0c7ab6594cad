import { createHash } from 'node:crypto'
import { desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { renamePlans } from '#features/catalog/server/service/rename-plans.ts'
import { claimImage } from '#features/images/server/image-store.ts'
import { type BrandSettings, brand as storedBrand } from '#features/settings/contract.ts'
import { defaults, withDefaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { brandVersions, users } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { BrandStudioState } from '../admin-contract.ts'

type Editor = { id: number; requestId: string }
type Edit = { version: string; value: BrandSettings }

/** The maximum number of published versions that are kept and can be restored. */
const maxVersions = 30

/** Returns the public brand, the draft, and the published versions, newest first. */
export async function readStudio(db: Db | Tx): Promise<BrandStudioState> {
  const { brand: live } = await settings.read(db, 'site')
  const [draft] = await db.select().from(brandVersions).where(isNull(brandVersions.publishedAt))
  const published = await db
    .select({
      id: brandVersions.id,
      value: brandVersions.value,
      publishedAt: brandVersions.publishedAt,
      by: users.username,
    })
    .from(brandVersions)
    .leftJoin(users, eq(users.id, brandVersions.savedBy))
    .where(isNotNull(brandVersions.publishedAt))
    .orderBy(desc(brandVersions.publishedAt), desc(brandVersions.id))
    .limit(maxVersions)
  const shown = { live, draft: draft ? brandOf(draft.value) : null }
  return {
    ...shown,
    version: createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22),
    versions: published.map((row) => ({ ...row, publishedAt: row.publishedAt!, value: brandOf(row.value) })),
  }
}

/** Parses a stored brand. Fields that did not exist when it was stored get their default. */
const brandOf = (stored: unknown): BrandSettings => z.parse(storedBrand, withDefaults(defaults.site.brand, stored))

/** Saves the draft. Nothing becomes public. Throws 409 when the version is outdated, and 400 for an image that was removed. */
export const saveDraft = (db: Db, { version, value }: Edit, editor: Editor): Promise<BrandStudioState> =>
  inStudio(db, version, async (tx) => {
    await claimImages(tx, value)
    await deleteDraft(tx)
    await tx.insert(brandVersions).values({ value, savedBy: editor.id })
  })

/** Deletes the draft. */
export const discardDraft = (db: Db): Promise<BrandStudioState> => inStudio(db, undefined, deleteDraft)

/** Makes a brand public and removes the draft. Audited. Throws like `saveDraft`. */
export const publish = (db: Db, { version, value }: Edit, editor: Editor): Promise<BrandStudioState> =>
  inStudio(db, version, async (tx) => {
    await deleteDraft(tx)
    await makePublic(tx, value, editor, 'brand.publish')
  })

/** Makes an earlier version public again. The draft stays. Audited. Throws 404. */
export const restore = (db: Db, versionId: number, editor: Editor): Promise<BrandStudioState> =>
  inStudio(db, undefined, async (tx) => {
    const { versions } = await readStudio(tx)
    const earlier = versions.find(({ id }) => id === versionId) ?? notFound('There is no such version')
    await makePublic(tx, earlier.value, editor, 'brand.restore')
  })

/** Runs a change of the brand and returns the new state. Changes run one after another. Throws 409 if `version` is outdated. */
async function inStudio(
  db: Db,
  version: string | undefined,
  change: (tx: Tx) => Promise<unknown>,
): Promise<BrandStudioState> {
  await inTransaction(db, async (tx) => {
    // Settings sections are saved under the same lock, because both write the setting `site`.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('setting'), hashtext('site'))`)
    if (version !== undefined && (await readStudio(tx)).version !== version)
      conflict(
        'stale',
        'Another administrator has changed the brand. Nothing was saved; please review the current brand.',
      )
    await change(tx)
    await changed(tx, 'setting')
  })
  settings.clearCache()
  return readStudio(db)
}

async function makePublic(
  tx: Tx,
  value: BrandSettings,
  { id, requestId }: Editor,
  action: 'brand.publish' | 'brand.restore',
): Promise<void> {
  const site = await settings.read(tx, 'site')
  await claimImages(tx, value)
  // Stores the brand that was public before the first publication, so that it can be restored too.
  if ((await tx.$count(brandVersions, isNotNull(brandVersions.publishedAt))) === 0)
    await tx.insert(brandVersions).values({ value: site.brand, publishedAt: sql`now() - interval '1 millisecond'` })
  await tx.insert(brandVersions).values({ value, publishedAt: sql`now()`, savedBy: id })
  await tx.execute(sql`
    delete from brand_versions where published_at is not null and id not in (
      select id from brand_versions where published_at is not null order by published_at desc, id desc limit ${maxVersions})`)
  await settings.writeSetting(tx, 'site', { ...site, brand: value }, id, requestId, action)
  await renamePlans(tx, value.plans)
}

const deleteDraft = (tx: Tx) => tx.delete(brandVersions).where(isNull(brandVersions.publishedAt))

async function claimImages(tx: Tx, { logo, icon }: BrandSettings): Promise<void> {
  for (const path of logo ? [logo.path, logo.document] : []) await claimImage(tx, path, 'value.logo')
  for (const path of icon ? [icon.large, icon.medium, icon.touch, icon.small] : [])
    await claimImage(tx, path, 'value.icon')
}
