import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import type { Editor, ExtensibleResource } from './catalog-resource.ts'
import { publishChange } from './publish-change.ts'
import { stale, toRefusal } from './refusals.ts'

/** Deletes an entry. Throws 404, or 409 when the version is outdated or the entry is in use. */
export async function deleteEntry(
  db: Db,
  resource: ExtensibleResource,
  id: number,
  version: number,
  editor: Editor,
): Promise<{ id: number }> {
  const { table } = resource
  try {
    return await inTransaction(db, async (tx) => {
      const [before] = await tx
        .select()
        .from(table as never)
        .where(eq(table.id, id))
        .for('update')
      if (!before) return notFound(`There is no such ${resource.noun}`)
      if ((before as { version: number }).version !== version) return stale(resource.noun)
      await tx.delete(table).where(eq(table.id, id))
      await publishChange(tx, editor, resource.type, {
        action: `${resource.type}.delete`,
        targetType: resource.type,
        targetId: id,
        before: before as Record<string, unknown>,
      })
      return { id }
    })
  } catch (error) {
    return toRefusal(error, resource)
  }
}
