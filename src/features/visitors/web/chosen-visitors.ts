import type { Visitor } from '../contract.ts'
import { pageName } from '../rules.ts'

export const visitorSorts = ['username', 'path', 'lastActive'] as const
type Chosen = { search: string; page: number; pageSize: number; sort?: (typeof visitorSorts)[number] | undefined; order?: 'asc' | 'desc' | undefined }

const shown = { username: nameOf, path: ({ path }: Visitor) => pageName(path), lastActive: ({ lastActive }: Visitor) => lastActive }

/** One page of the visitors that a search leaves, in the order asked for; without one as they came, the latest first. */
export function chosenVisitors(visitors: readonly Visitor[], { search, page, pageSize, sort, order }: Chosen): { rows: Visitor[]; total: number } {
  const wanted = search.toLowerCase()
  const found = visitors.filter((visitor) => textOf(visitor).includes(wanted))
  const direction = order === 'desc' ? -1 : 1
  const sorted = sort ? found.toSorted((a, b) => direction * shown[sort](a).localeCompare(shown[sort](b))) : found
  return { rows: sorted.slice((page - 1) * pageSize, page * pageSize), total: found.length }
}

const textOf = (visitor: Visitor): string =>
  [nameOf(visitor), visitor.ipAddress, visitor.country ?? '', visitor.path, pageName(visitor.path)].join('\n').toLowerCase()

function nameOf({ username }: Visitor): string {
  return username ?? 'Anonymous'
}
