import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import type { deviceResource, Editor, faqResource, guideResource } from './catalog-resource.ts'
import { publishChange } from './publish-change.ts'

/** Moves an entry one position, counting hidden entries. Does nothing at either end. Throws 404. */
export async function moveEntry(
  db: Db,
  resource: typeof deviceResource | typeof faqResource | typeof guideResource,
  id: number,
  direction: 'up' | 'down',
  editor: Editor,
): Promise<void> {
  const { table, type, noun } = resource
  const { column, field } = resource.position!
  await inTransaction(db, async (tx) => {
    // Serializes moves: row locks alone could deadlock, since moves change the order in which rows are locked.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('order'), hashtext(${type}))`)
    const rows = (await tx
      .select({ id: table.id, at: column })
      .from(table as never)
      .orderBy(asc(column), asc(table.id))
      .for('update')) as { id: number; at: number }[]
    const from = rows.findIndex((row) => row.id === id)
    if (from < 0) return notFound(`There is no such ${noun}`)
    const to = direction === 'up' ? from - 1 : from + 1
    if (to < 0 || to >= rows.length) return
    const order = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from]!)
    // Renumbers all entries, since positions that were set manually may be duplicates.
    for (const [index, row] of order.entries())
      if (row.at !== index + 1)
        await tx
          .update(table)
          .set({ [field]: index + 1 } as never)
          .where(eq(table.id, row.id))
    await publishChange(tx, editor, type, {
      action: `${type}.move`,
      targetType: type,
      targetId: id,
      before: { place: from + 1 },
      after: { place: to + 1 },
    })
  })
}
