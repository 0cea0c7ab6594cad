import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import type { Editor, ExtensibleResource } from './catalog-resource.ts'
import { publishChange } from './publish-change.ts'
import { toRefusal } from './refusals.ts'

/** Adds an entry, at the end of a sorted list. Throws 400 with the field when the entry already exists. */
export async function createEntry<S extends ExtensibleResource>(
  db: Db,
  resource: S,
  fields: Partial<S['table']['$inferInsert']>,
  editor: Editor,
): Promise<S['table']['$inferSelect']> {
  const { table, position } = resource
  try {
    return await inTransaction(db, async (tx) => {
      const last = position && {
        [position.field]: sql`(select coalesce(max(${position.column}), 0) + 1 from ${table})`,
      }
      await resource.prepare?.(tx, fields as never)
      const [made] = await tx
        .insert(table)
        .values({ ...fields, ...last } as never)
        .returning()
      const entry = made as S['table']['$inferSelect']
      await publishChange(tx, editor, resource.type, {
        action: `${resource.type}.create`,
        targetType: resource.type,
        targetId: entry.id,
        after: { ...fields },
      })
      return entry
    })
  } catch (error) {
    return toRefusal(error, resource)
  }
}
