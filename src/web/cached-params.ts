import type { AnyRoute } from '@tanstack/react-router'

/** The words of a query that a page of the route table reads, found by watching it read one. Throws when it takes over the query as a whole: then they cannot be told. */
export function wordsRead(table: AnyRoute, path: string): string[] {
  const page = (Object.values(table.children ?? {}) as AnyRoute[]).find(
    ({ options }) => (options as { path?: string }).path === path,
  )
  if (!page) throw new Error(`There is no page at ${path}`)
  const words = new Set<string>()
  const query = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, word) => void words.add(String(word)),
      has: (_, word) => words.add(String(word)) && false,
      ownKeys: () => {
        throw new Error(`The page at ${path} reads its whole query`)
      },
    },
  )
  page.options.validateSearch?.(query)
  return [...words]
}
