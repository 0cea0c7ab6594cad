import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { together } from '#server/together.ts'
import type { User } from '../../contract.ts'
import { userView } from '../user-view.ts'

const prepare = (db: Db) => {
  const find = db
    .select(userView)
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder('ids')})`)
    .prepare('users_by_id')
  return together(async (ids: number[]) => new Map((await find.execute({ ids })).map((user) => [user.id, user])))
}
const questions = new WeakMap<Db, ReturnType<typeof prepare>>()

/** One user as the contract shows it. Throws 404. */
export async function getUser(db: Db, id: number): Promise<User> {
  const find = questions.get(db) ?? prepare(db)
  questions.set(db, find)
  return (await find(id)) ?? notFound('User not found')
}
