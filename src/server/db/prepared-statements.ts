import pg from 'pg'

type Texts = { nameOf: (text: string) => string | undefined }

/** Gives names to the texts that come again and again, at most `most` of them: each name is a plan in every connection. */
export function names(most = 200, afterTimes = 3): Texts {
  const named = new Map<string, string>()
  const seen = new Map<string, number>()
  return {
    nameOf: (text) => {
      const name = named.get(text)
      if (name !== undefined || named.size === most) return name
      const times = (seen.get(text) ?? 0) + 1
      // Texts that lists put together come in any number.
      if (seen.size === 5 * most) seen.clear()
      if (times < afterTimes) seen.set(text, times)
      else {
        seen.delete(text)
        named.set(text, `often_${named.size}`)
      }
      return named.get(text)
    },
  }
}

const often = names()

/**
 * A connection that has what its transactions ask often parsed and planned once. Outside of transactions are lists, which have to be
 * planned for their values.
 */
export class Named extends pg.Client {
  // pg's own list of overloads, of which each takes a query first.
  override query = ((query: unknown, ...rest: unknown[]) => {
    if (this.getTransactionStatus() === 'T' && isNameless(query, rest[0])) query.name = often.nameOf(query.text)
    return super.query(...([query, ...rest] as Parameters<pg.Client['query']>))
  }) as pg.Client['query']
}

const isNameless = (query: unknown, values: unknown): query is { text: string; name?: string | undefined } =>
  typeof query === 'object' &&
  query !== null &&
  'text' in query &&
  !('submit' in query) &&
  'name' in query &&
  query.name === undefined &&
  Array.isArray(values) &&
  values.length > 0
