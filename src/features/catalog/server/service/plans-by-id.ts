import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { anyOf, type Params, statement } from '#server/db/statement.ts'
import { plans } from '#server/db/tables.ts'

type Plan = typeof plans.$inferSelect

const read = statement('plans_by_id', (db, { ids }: Params<{ ids: number[] }>) =>
  db
    .select()
    .from(plans)
    .where(eq(plans.id, anyOf(ids, 'int'))),
)

/** The plans with these ids, including hidden ones. Prices are in cents. Null ids are ignored. */
export async function plansById(db: Db | Tx, ids: (number | null)[]): Promise<Plan[]> {
  const known = ids.filter((id) => id !== null)
  return known.length === 0 ? [] : read(db, { ids: [...new Set(known)] })
}
