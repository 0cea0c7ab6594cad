import { and, gt, isNotNull, notLike, sql } from 'drizzle-orm'
import { type KeyRing, open, seal, sealedPrefix } from '../secrets/keys.ts'
import { type SealedColumn, sealedColumns } from '../secrets/sealed-columns.ts'
import type { Db } from './connect.ts'
import { inTransaction } from './retry.ts'

/** The result for one sealed column: how many values were resealed, and how many cannot be decrypted with any configured key. */
export type Resealed = { name: string; resealed: number; unreadable: number }
type Id = string | number
type Row = { id: Id; sealed: string }

const batchSize = 200

/**
 * Reseals every value that is sealed with a key other than the current one. Each batch is a transaction, so an interrupted run continues where it stopped. A
 * value that was changed since it was read keeps the change; a value that cannot be decrypted stays unchanged.
 */
export async function reseal(db: Db, keys: KeyRing): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const [name, column] of Object.entries(sealedColumns))
    done.push({ name, ...(await resealColumn(db, keys, column as unknown as SealedColumn<Id>)) })
  return done
}

async function resealColumn(
  db: Db,
  keys: KeyRing,
  { table, column, id, context }: SealedColumn<Id>,
): Promise<Omit<Resealed, 'name'>> {
  const result = { resealed: 0, unreadable: 0 }
  for (let after: Id | undefined; ; ) {
    const rows = (await db
      .select({ id, sealed: column })
      .from(table)
      .where(
        and(
          isNotNull(column),
          notLike(column, `${sealedPrefix(keys)}%`),
          after === undefined ? undefined : gt(id, after),
        ),
      )
      .orderBy(id)
      .limit(batchSize)) as Row[]
    if (rows.length === 0) return result
    after = rows.at(-1)!.id
    const changes = rows.flatMap((row) => {
      const text = opened(keys, row, context(row.id))
      return text === undefined ? [] : [{ ...row, resealed: seal(keys, text, context(row.id) as never) }]
    })
    result.unreadable += rows.length - changes.length
    if (changes.length > 0) result.resealed += await replace(db, { table, column, id }, changes)
  }
}

/** Locks the rows in the order of their ids, as every transaction that locks several rows does, so that they do not deadlock. */
async function replace(
  db: Db,
  { table, column, id }: Pick<SealedColumn, 'table' | 'column' | 'id'>,
  rows: (Row & { resealed: string })[],
): Promise<number> {
  const [ids, old, resealed] = [
    rows.map((row) => row.id),
    rows.map((row) => row.sealed),
    rows.map((row) => row.resealed),
  ].map((list) => sql.param(list))
  const type = sql.raw(id.getSQLType())
  const changes = sql`unnest(${ids}::${type}[], ${old}::text[], ${resealed}::text[]) as changes (id, old, resealed)`
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select 1 from ${table} where ${id} = any(${ids}::${type}[]) order by ${id} for no key update`)
    const { rowCount } = await tx.execute(
      sql`update ${table} set ${sql.identifier(column.name)} = changes.resealed from ${changes} where ${id} = changes.id and ${column} = changes.old`,
    )
    return rowCount ?? 0
  })
}

function opened(keys: KeyRing, { sealed }: Row, context: string): string | undefined {
  try {
    return open(keys, sealed, context)
  } catch {
    return undefined
  }
}
