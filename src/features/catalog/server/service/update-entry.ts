import { eq } from 'drizzle-orm'
import { changedFields } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import type { CatalogResource, Editor } from './catalog-resource.ts'
import { publishChange } from './publish-change.ts'
import { stale, toRefusal } from './refusals.ts'

type Entry<S extends CatalogResource> = S['table']['$inferSelect']
/** Updates an entry. Throws 404, 409 when the version is outdated, or 400 with the field when the entry already exists. */
export async function updateEntry<S extends CatalogResource>(
  db: Db,
  resource: S,
  id: number,
  { version, ...fields }: Partial<Entry<S>> & { version: number },
  editor: Editor,
): Promise<Entry<S>> {
  const { table } = resource
  try {
    return await inTransaction(db, async (tx) => {
      const [before] = (await tx
        .select()
        .from(table as never)
        .where(eq(table.id, id))
        .for('update')) as Entry<S>[]
      if (!before) return notFound(`There is no such ${resource.noun}`)
      if (before.version !== version) return stale(resource.noun)
      const changed = changedFields(before, { ...before, ...fields })
      if (Object.keys(changed.after).length === 0) return before
      await resource.prepare?.(tx, fields as never)
      const [after] = await tx
        .update(table)
        .set({ ...fields, version: version + 1 } as never)
        .where(eq(table.id, id))
        .returning()
      await publishChange(tx, editor, resource.type, {
        action: `${resource.type}.update`,
        targetType: resource.type,
        targetId: id,
        ...changed,
      })
      return after as Entry<S>
    })
  } catch (error) {
    return toRefusal(error, resource)
  }
}
