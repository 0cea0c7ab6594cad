import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from './types.ts'

/** The parameters of a prepared statement: placeholders that each execution replaces with its values. */
export type Params<Values extends Record<string, unknown>> = {
  [Name in keyof Values & string]: Placeholder<Name, Values[Name]>
}
type Query<Row> = PromiseLike<Row> & {
  prepare: (name: string) => { execute: (values: Record<string, unknown>) => Promise<Row> }
}

const placeholders = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) })

/**
 * Returns a function that executes a statement with the values of each call, on the pool or in a transaction. The statement is built once for each connection
 * and prepared there under `name`. `name` must be unique in the app.
 */
export function statement<Values extends Record<string, unknown>, Row>(
  name: string,
  build: (db: Db | Tx, params: Params<Values>) => Query<Row>,
): (db: Db | Tx, values: Values) => Promise<Row> {
  const built = new WeakMap<object, ReturnType<Query<Row>['prepare']>>()
  return (db, values) => {
    const { session } = db._
    let prepared = built.get(session)
    if (!prepared) {
      prepared = build(db, placeholders as Params<Values>).prepare(name)
      built.set(session, prepared)
    }
    return prepared.execute(values)
  }
}

/**
 * Returns the right side of a `=` that matches any value of the list. With a plain `any(list)`, PostgreSQL would plan the statement at every execution, because
 * the cost of the plan depends on the number of values.
 */
export const anyOf = (list: Placeholder, type: 'bytea' | 'int' | 'uuid'): SQL =>
  sql`any(array(select unnest(${list}::${sql.raw(type)}[])))`
