import { sql } from 'drizzle-orm'
import pg from 'pg'

type StatementNames = { nameOf: (text: string) => string | undefined }

/**
 * Names the statements that run repeatedly: an SQL text gets a name when it runs for the `afterTimes`-th time. At most `max` texts get a name, because each
 * name is a prepared plan in every connection.
 */
export function statementNames(max = 200, afterTimes = 3): StatementNames {
  const named = new Map<string, string>()
  const seen = new Map<string, number>()
  return {
    nameOf: (text) => {
      const name = named.get(text)
      if (name !== undefined || named.size === max) return name
      const times = (seen.get(text) ?? 0) + 1
      // Cleared because list queries have an unlimited number of texts.
      if (seen.size === 5 * max) seen.clear()
      if (times < afterTimes) seen.set(text, times)
      else {
        seen.delete(text)
        named.set(text, `often_${named.size}`)
      }
      return named.get(text)
    },
  }
}

const names = statementNames()
const preparedMark = '/* prepared */'
/** The beginning of a statement that is also prepared outside of transactions. Only for statements that have the same good plan for all values. */
export const prepared = sql`/* prepared */`

/**
 * A client that prepares the statements its transactions run often, so that they are parsed and planned once. Statements outside of transactions
 * are not prepared: those are list queries, which have to be planned for their values.
 */
export class PreparedClient extends pg.Client {
  // pg declares several overloads; each has the query as its first argument.
  override query = ((query: unknown, ...rest: unknown[]) => {
    if (
      isNameless(query) &&
      (query.text.startsWith(preparedMark) || (this.getTransactionStatus() === 'T' && hasValues(rest[0])))
    )
      query.name = names.nameOf(query.text)
    return super.query(...([query, ...rest] as Parameters<pg.Client['query']>))
  }) as pg.Client['query']
}

const isNameless = (query: unknown): query is { text: string; name?: string | undefined } =>
  typeof query === 'object' &&
  query !== null &&
  'text' in query &&
  !('submit' in query) &&
  'name' in query &&
  query.name === undefined

const hasValues = (values: unknown) => Array.isArray(values) && values.length > 0
