import type { AnyRoute } from '@tanstack/react-router'

/**
 * Returns the query parameters that a page's `validateSearch` reads: they are part of the cache key of that page. Runs it on a proxy that records
 * each read. Throws when there is no page at `path`, or when the page reads the whole query, since the parameters are unknown then.
 */
export function cachedParams(table: AnyRoute, path: string): string[] {
  const page = (Object.values(table.children ?? {}) as AnyRoute[]).find(
    ({ options }) => (options as { path?: string }).path === path,
  )
  if (!page) throw new Error(`There is no page at ${path}`)
  const names = new Set<string>()
  const query = new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name) => void names.add(String(name)),
      has: (_, name) => names.add(String(name)) && false,
      ownKeys: () => {
        throw new Error(`The page at ${path} reads its whole query`)
      },
    },
  )
  page.options.validateSearch?.(query)
  return [...names]
}
