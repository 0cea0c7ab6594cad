import type { AnyRoute } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { cachedParams } from './cached-params.ts'
import { publicPaths } from './public-paths.ts'
import { routeTree } from './router.tsx'

const routes = Object.values(routeTree.children ?? {}) as unknown as AnyRoute[]

/** The query parameters that the page at a path reads. */
function paramsReadBy(path: string): string[] {
  const { validateSearch } = routes.find(({ options }) => (options as { path?: string }).path === path)!.options
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
  ;(validateSearch as ((query: object) => unknown) | undefined)?.(query)
  return [...names]
}

// Otherwise the cached page of one visitor would be sent to a visitor who requested a different page.
test.each(publicPaths)('%s reads only query parameters that are part of its cache key', (path) => {
  expect(paramsReadBy(path)).toEqual(cachedParams[path] ?? [])
})
