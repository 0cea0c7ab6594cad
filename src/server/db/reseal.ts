import { and, gt, isNotNull, notLike, sql } from 'drizzle-orm'
import { type Keys, open, seal, sealedPrefix } from '../secrets/keys.ts'
import { type SealedColumn, sealedColumns } from '../secrets/sealed-columns.ts'
import type { Db } from './connect.ts'
import { inTransaction } from './retry.ts'

/** What became of the values of one place: sealed anew, or sealed by a key that nobody has given. */
export type Resealed = { name: string; moved: number; unreadable: number }
type Id = string | number
type Row = { id: Id; sealed: string }

const atOnce = 200

/**
 * Seals every value anew that another key than the current one sealed. Each batch is committed by itself, so whoever was killed goes on
 * where it stood; a value that was changed meanwhile is left to whoever changed it. What no key opens stays as it is.
 */
export async function reseal(db: Db, keys: Keys): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const [name, column] of Object.entries(sealedColumns))
    done.push({ name, ...(await resealColumn(db, keys, column as unknown as SealedColumn<Id>)) })
  return done
}

async function resealColumn(
  db: Db,
  keys: Keys,
  { table, column, id, place }: SealedColumn<Id>,
): Promise<Omit<Resealed, 'name'>> {
  const result = { moved: 0, unreadable: 0 }
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
      .limit(atOnce)) as Row[]
    if (rows.length === 0) return result
    after = rows.at(-1)!.id
    const anew = rows.flatMap((row) => {
      const text = opened(keys, row, place(row.id))
      return text === undefined ? [] : [{ ...row, anew: seal(keys, text, place(row.id) as never) }]
    })
    result.unreadable += rows.length - anew.length
    if (anew.length > 0) result.moved += await replace(db, { table, column, id }, anew)
  }
}

/** In the order of the ids, as everybody locks them who takes several. */
async function replace(
  db: Db,
  { table, column, id }: Pick<SealedColumn, 'table' | 'column' | 'id'>,
  rows: (Row & { anew: string })[],
): Promise<number> {
  const [ids, old, anew] = [rows.map((row) => row.id), rows.map((row) => row.sealed), rows.map((row) => row.anew)].map(
    (list) => sql.param(list),
  )
  const type = sql.raw(id.getSQLType())
  const given = sql`unnest(${ids}::${type}[], ${old}::text[], ${anew}::text[]) as given (id, old, anew)`
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select 1 from ${table} where ${id} = any(${ids}::${type}[]) order by ${id} for no key update`)
    const { rowCount } = await tx.execute(
      sql`update ${table} set ${sql.identifier(column.name)} = given.anew from ${given} where ${id} = given.id and ${column} = given.old`,
    )
    return rowCount ?? 0
  })
}

function opened(keys: Keys, { sealed }: Row, place: string): string | undefined {
  try {
    return open(keys, sealed, place)
  } catch {
    return undefined
  }
}
