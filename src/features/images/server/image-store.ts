import { eq, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { images } from '#server/db/tables.ts'
import { invalid, notFound } from '#server/errors.ts'
import type { ImageUse, StoredImage } from '../admin-contract.ts'
import type { getImage } from '../contract.ts'
import { type EncodedImage, encodeImage } from './encode-image.ts'

/** The path of a stored image on this site. */
export const imagePath = ({ hash, type }: Pick<EncodedImage, 'hash' | 'type'>): string =>
  `/images/${hash}.${type.slice('image/'.length)}`
/** SQL for the path of an image, for queries with the table `images`. */
export const pathOfImage = sql<string>`'/images/' || images.hash || '.' || substring(images.type from 7)`

/** Stores an encoded image and returns its path. If it is already stored, only its time is updated, which delays its removal as unused. */
export async function storeImage(tx: Tx, image: EncodedImage): Promise<string> {
  await tx
    .insert(images)
    .values(image)
    .onConflictDoUpdate({ target: images.hash, set: { storedAt: sql`now()` } })
  return imagePath(image)
}

/** Encodes and stores an uploaded file. Audited. Throws 4xx with the reason if the file is not a usable image. */
export async function uploadImage(
  db: Db,
  file: Uint8Array,
  use: ImageUse,
  editor: { id: number; requestId: string },
): Promise<StoredImage> {
  const encoded = await encodeImage(Buffer.from(file.buffer, file.byteOffset, file.byteLength), use)
  const { main: image, ...others } = encoded
  const path = imagePath(image)
  await inTransaction(db, async (tx) => {
    for (const each of Object.values(encoded)) await storeImage(tx, each)
    await audit(tx, {
      actorId: editor.id,
      action: 'image.upload',
      targetType: 'image',
      targetId: image.hash,
      after: { use, path, width: image.width, height: image.height, bytes: image.bytes.length },
      requestId: editor.requestId,
    })
  })
  const variants = Object.fromEntries(Object.entries(others).map(([name, other]) => [name, imagePath(other)]))
  return { path, width: image.width, height: image.height, variants }
}

/** Returns a stored image by the file name in its path. Throws 404 for an unknown name. */
export async function readImage(db: Db, file: string): Promise<Output<typeof getImage>> {
  const [hash, extension] = file.split('.') as [string, string]
  const [found] = await db
    .select({ type: images.type, bytes: images.bytes })
    .from(images)
    .where(eq(images.hash, hash))
    .limit(1)
  if (!found || found.type !== `image/${extension}`) return notFound('There is no such image')
  return { type: found.type, bytes: new Uint8Array(found.bytes) }
}

/**
 * Updates the time of an uploaded image that is going to be used, so that it is not removed as unused. Throws 400 on `field` if it has already been
 * removed. Accepts paths that are not paths of uploaded images.
 */
export async function claimImage(tx: Tx, path: string, field: string): Promise<void> {
  if (!path.startsWith('/images/')) return
  const { rowCount } = await tx.execute(
    sql`update images set stored_at = now() where ${pathOfImage} = ${path} and hash = ${hashIn(path)}`,
  )
  if (rowCount === 0) invalid(field, 'This image is no longer stored. Please upload it again.')
}
const hashIn = (path: string): string => path.slice('/images/'.length).split('.', 1)[0]!

/** Removes unused images that were stored at least `hours` hours ago. Returns their number. */
export async function removeUnusedImages(db: Db, hours: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from images where stored_at < now() - make_interval(hours => ${hours}::int)
    and not exists (select from channel_logos where channel_logos.hash = images.hash)
    and not exists (select from channels where channels.logo = ${pathOfImage})
    and not exists (select from setup_guides where position(images.hash in steps::text) > 0)
    and not exists (select from settings where key = 'site' and position(images.hash in value::text) > 0)
    and not exists (select from brand_versions where position(images.hash in value::text) > 0)`)
  return rowCount ?? 0
}
