import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from './types.ts'

/** Stands where each execution puts a value of its own. */
export type Params<Values extends Record<string, unknown>> = {
  [Name in keyof Values & string]: Placeholder<Name, Values[Name]>
}
type Query<Row> = PromiseLike<Row> & {
  prepare: (name: string) => { execute: (values: Record<string, unknown>) => Promise<Row> }
}

const given = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })

/**
 * A statement that is built once for each connection, parsed and planned there under its name, and run with other values every time, on the
 * pool or in a transaction. `name` is the only one of its kind in the app.
 */
export function statement<Values extends Record<string, unknown>, Row>(
  name: string,
  build: (db: Db | Tx, given: Params<Values>) => Query<Row>,
): (db: Db | Tx, values: Values) => Promise<Row> {
  const built = new WeakMap<object, ReturnType<Query<Row>['prepare']>>()
  return (db, values) => {
    const { session } = db._
    let own = built.get(session)
    if (!own) {
      own = build(db, given as Params<Values>).prepare(name)
      built.set(session, own)
    }
    return own.execute(values)
  }
}

/** What `=` compares with to find any of a list. Said plainly, PostgreSQL counts the list's values and plans anew each time, since few cost less than many. */
export const anyOf = (list: Placeholder, type: 'bytea' | 'int'): SQL =>
  sql`any(array(select unnest(${list}::${sql.raw(type)}[])))`
