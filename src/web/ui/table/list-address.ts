/** The sorts, statuses and filters that a list allows. Other values in the URL are ignored. */
export interface ListRules<Sort extends string = string, Status extends string = string> {
  sorts: readonly Sort[]
  statuses?: readonly Status[]
  /** Further filters: their parameter names and allowed values. */
  filters?: Readonly<Record<string, readonly string[]>>
  /** 10 by default. */
  pageSize?: number
}

export interface ListState<Sort extends string = string, Status extends string = string> {
  page: number
  pageSize: number
  sort?: Sort | undefined
  order?: 'asc' | 'desc' | undefined
  search: string
  status?: Status | undefined
  filters: Readonly<Record<string, string>>
}

export const pageSizes = [5, 10, 25, 50, 100] as const
const maxPage = 1_000_000

/** Reads the state of a list from the URL. Values that are not allowed are replaced by the defaults. */
export function readList<Sort extends string, Status extends string>(
  address: Record<string, unknown>,
  rules: ListRules<Sort, Status>,
): ListState<Sort, Status> {
  const page = Math.trunc(Number(address.page))
  const pageSize = Number(address.pageSize)
  const sort = rules.sorts.find((known) => known === address.sort)
  return {
    page: page >= 1 ? Math.min(page, maxPage) : 1,
    pageSize: pageSizes.find((size) => size === pageSize) ?? rules.pageSize ?? 10,
    sort,
    order: sort && (address.order === 'desc' ? 'desc' : 'asc'),
    // The router parses a numeric search as a number.
    search: ['string', 'number', 'boolean'].includes(typeof address.search) ? String(address.search).slice(0, 254) : '',
    status: rules.statuses?.find((known) => known === address.status),
    filters: Object.fromEntries(
      Object.entries(rules.filters ?? {}).flatMap(([name, known]) =>
        known.filter((one) => one === address[name]).map((one) => [name, one]),
      ),
    ),
  }
}

/** Returns the query parameters for the state of a list. Defaults are omitted. */
export function writeList(state: ListState, rules: ListRules): Record<string, string | number | undefined> {
  return {
    page: state.page === 1 ? undefined : state.page,
    pageSize: state.pageSize === (rules.pageSize ?? 10) ? undefined : state.pageSize,
    sort: state.sort,
    order: state.sort && state.order,
    search: state.search || undefined,
    status: state.status,
    ...Object.fromEntries(Object.keys(rules.filters ?? {}).map((name) => [name, state.filters[name]])),
  }
}
