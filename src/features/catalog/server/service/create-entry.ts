import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import type { CatalogueResource, Editor } from './catalogue-resource.ts'
import { publishChange } from './published-changes.ts'
import { explained } from './refusals.ts'

/** Adds an entry, at the end where entries have places. Throws 400 at its field when there is one like it. */
export async function createEntry<S extends CatalogueResource>(
  db: Db,
  shelf: S,
  fields: Partial<S['table']['$inferInsert']>,
  editor: Editor,
): Promise<S['table']['$inferSelect']> {
  const { table, position } = shelf
  try {
    return await inTransaction(db, async (tx) => {
      const last = position && {
        [position.field]: sql`(select coalesce(max(${position.column}), 0) + 1 from ${table})`,
      }
      const [made] = await tx
        .insert(table)
        .values({ ...fields, ...last } as never)
        .returning()
      const entry = made as S['table']['$inferSelect']
      await publishChange(tx, editor, shelf.list, {
        action: `${shelf.type}.create`,
        targetType: shelf.type,
        targetId: entry.id,
        after: { ...fields },
      })
      return entry
    })
  } catch (error) {
    return explained(error, shelf)
  }
}
