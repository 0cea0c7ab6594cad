import { listFaqs, listPlans } from '#features/catalog/contract.ts'
import type { Site } from '#features/settings/contract.ts'
import { type DataClient, query } from '../data.ts'
import type { PublicPath } from '../public-paths.ts'
import { type Meta, pageMeta } from './page-meta.ts'
import { structuredData } from './structured-data.ts'

type Input = { path: PublicPath; name: string; title: string; site: Site; origin: string; client: DataClient }

/**
 * Returns the head entries for search engines and link previews. Both read the HTML from the server, so the browser never renders these entries. `name` is the
 * title without the brand.
 */
export function seoMeta({ path, name, title, site, origin, client }: Input): Meta[] {
  const plans = client.getQueryData(query(listPlans).queryKey) ?? []
  const faqs = client.getQueryData(query(listFaqs).queryKey) ?? []
  // The router renders this key as a JSON-LD script and escapes `<`. The key is missing in the router's types.
  const data = { 'script:ld+json': structuredData({ path, name, site, origin, plans, faqs }) } as Meta
  return [...pageMeta(path, title, site, origin), data]
}
