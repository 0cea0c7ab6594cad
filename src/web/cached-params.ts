import type { PublicPath } from './public-paths.ts'

/**
 * The query parameters that a public page reads. They are part of its cache key; other parameters do not change the page and are ignored. A page
 * that is not listed reads none.
 */
export const cachedParams: Partial<Record<PublicPath, string[]>> = {
  '/channels': ['category', 'q'],
  '/channels/lineup': ['tab'],
  '/pricing': ['tier'],
  '/setup': ['device'],
}
