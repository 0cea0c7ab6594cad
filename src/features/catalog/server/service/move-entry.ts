import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import type { deviceResource, Editor, faqResource } from './catalogue-resource.ts'
import { publishChange } from './published-changes.ts'

/** Moves an entry one place among the others as they stand now, hidden ones too; at the end it stays. Throws 404. */
export async function moveEntry(
  db: Db,
  shelf: typeof deviceResource | typeof faqResource,
  id: number,
  direction: 'up' | 'down',
  editor: Editor,
): Promise<void> {
  const { table, type, noun, list } = shelf
  const { column, field } = shelf.position!
  await inTransaction(db, async (tx) => {
    // One move at a time: locked row by row in an order that moves change, several would lock each other out.
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
    // Numbered anew: places that were set by hand may be shared.
    for (const [index, row] of order.entries())
      if (row.at !== index + 1)
        await tx
          .update(table)
          .set({ [field]: index + 1 } as never)
          .where(eq(table.id, row.id))
    await publishChange(tx, editor, list, {
      action: `${type}.move`,
      targetType: type,
      targetId: id,
      before: { place: from + 1 },
      after: { place: to + 1 },
    })
  })
}
