import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import type { User } from '../../contract.ts'
import { userView } from '../user-view.ts'

const prepare = (db: Db) =>
  db
    .select(userView)
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_by_id')
const statements = new WeakMap<Db, ReturnType<typeof prepare>>()

/** One user as the contract shows it. Throws 404. */
export async function getUser(db: Db, id: number): Promise<User> {
  const prepared = statements.get(db) ?? prepare(db)
  statements.set(db, prepared)
  const [user] = await prepared.execute({ id })
  return user ?? notFound('User not found')
}
