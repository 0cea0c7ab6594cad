import { listFaqs, listPlans } from '#features/catalog/contract.ts'
import type { Site } from '#features/settings/contract.ts'
import { type DataClient, query } from '../data.ts'
import type { PublicPath } from '../public-paths.ts'
import { type Meta, pageMeta } from './page-meta.ts'
import { structuredData } from './structured-data.ts'

type Input = { path: PublicPath; name: string; title: string; site: Site; origin: string; client: DataClient }

/**
 * Head entries that only search engines and previews read: they read what the server sent, so the browser never builds them.
 * `name` is the title without the brand.
 */
export function forMachines({ path, name, title, site, origin, client }: Input): Meta[] {
  const plans = client.getQueryData(query(listPlans).queryKey) ?? []
  const faqs = client.getQueryData(query(listFaqs).queryKey) ?? []
  // The router writes this key as a script of data, `<` escaped; its types do not know it.
  const data = { 'script:ld+json': structuredData({ path, name, site, origin, plans, faqs }) } as Meta
  return [...pageMeta(path, title, site, origin), data]
}
