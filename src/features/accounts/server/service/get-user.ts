import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { anyOf, type Params, statement } from '#server/db/statement.ts'
import { users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { batch } from '#server/overload/batch.ts'
import type { User } from '../../contract.ts'
import { userView } from '../user-view.ts'

const usersById = statement('users_by_id', (db, { ids }: Params<{ ids: number[] }>) =>
  db
    .select(userView)
    .from(users)
    .where(sql`${users.id} = ${anyOf(ids, 'int')}`),
)
const findUser = batch(
  async (db: Db, ids: number[]) => new Map((await usersById(db, { ids })).map((user) => [user.id, user])),
)

/** One user with the fields of the contract. Concurrent calls share one query. Throws 404. */
export async function getUser(db: Db, id: number): Promise<User> {
  return (await findUser(db, id)) ?? notFound('User not found')
}
