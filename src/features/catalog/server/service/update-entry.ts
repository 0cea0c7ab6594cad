import { eq } from 'drizzle-orm'
import { changes } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import type { CatalogueResource, Editor } from './catalogue-resource.ts'
import { publishChange } from './published-changes.ts'
import { explained, stale } from './refusals.ts'

type Entry<S extends CatalogueResource> = S['table']['$inferSelect']
/** Changes an entry that still is as it was opened. Throws 404, 409 when somebody was faster, 400 at its field when there is one like it. */
export async function updateEntry<S extends CatalogueResource>(
  db: Db,
  shelf: S,
  id: number,
  { version, ...fields }: Partial<Entry<S>> & { version: number },
  editor: Editor,
): Promise<Entry<S>> {
  const { table } = shelf
  try {
    return await inTransaction(db, async (tx) => {
      const [before] = (await tx
        .select()
        .from(table as never)
        .where(eq(table.id, id))
        .for('update')) as Entry<S>[]
      if (!before) return notFound(`There is no such ${shelf.noun}`)
      if (before.version !== version) return stale(shelf.noun)
      const changed = changes(before, { ...before, ...fields })
      if (Object.keys(changed.after).length === 0) return before
      const [after] = await tx
        .update(table)
        .set({ ...fields, version: version + 1 } as never)
        .where(eq(table.id, id))
        .returning()
      await publishChange(tx, editor, shelf.list, {
        action: `${shelf.type}.update`,
        targetType: shelf.type,
        targetId: id,
        ...changed,
      })
      return after as Entry<S>
    })
  } catch (error) {
    return explained(error, shelf)
  }
}
