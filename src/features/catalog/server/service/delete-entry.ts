import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import type { CatalogueResource, Editor } from './catalogue-resource.ts'
import { publishChange } from './published-changes.ts'
import { explained, stale } from './refusals.ts'

/** Takes an entry away for good. Throws 404, 409 when it was changed meanwhile or something refers to it. */
export async function deleteEntry(
  db: Db,
  shelf: CatalogueResource,
  id: number,
  version: number,
  editor: Editor,
): Promise<{ id: number }> {
  const { table } = shelf
  try {
    return await inTransaction(db, async (tx) => {
      const [before] = await tx
        .select()
        .from(table as never)
        .where(eq(table.id, id))
        .for('update')
      if (!before) return notFound(`There is no such ${shelf.noun}`)
      if ((before as { version: number }).version !== version) return stale(shelf.noun)
      await tx.delete(table).where(eq(table.id, id))
      await publishChange(tx, editor, shelf.list, {
        action: `${shelf.type}.delete`,
        targetType: shelf.type,
        targetId: id,
        before: before as Record<string, unknown>,
      })
      return { id }
    })
  } catch (error) {
    return explained(error, shelf)
  }
}
