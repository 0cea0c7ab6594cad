import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ListRules, type ListState, readList, writeList } from './list-address.ts'

export interface ListAddress<Sort extends string = string, Status extends string = string>
  extends ListState<Sort, Status> {
  /** The query parameters for the list endpoint, without unset fields. */
  query: {
    page: number
    pageSize: number
    sort?: Sort
    order?: 'asc' | 'desc'
    search?: string
    status?: Status
    [filter: string]: unknown
  }
  /** Whether a search or filter is set. */
  isFiltered: boolean
  /** Whether the search, a filter or the order differs from the default. */
  isChanged: boolean
  /** A change of anything but the page returns to page 1. `replace` avoids a history entry for every key press. */
  set: (change: Partial<ListState>, how?: 'push' | 'replace') => void
  reset: () => void
}

/** Keeps the page, page size, order, search and status of a list in the URL. Other parameters stay unchanged. */
export function useListAddress<Sort extends string, Status extends string = never>(
  rules: ListRules<Sort, Status>,
): ListAddress<Sort, Status> {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readList(address, rules)
  const { page, pageSize, sort, order, search, status, filters } = state
  const isFiltered = Boolean(search || status || Object.keys(filters).length > 0)

  const go = (next: (now: ListState) => ListState, how: 'push' | 'replace') =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({
        ...before,
        ...writeList(next(readList(before, rules)), rules),
      })) as never,
      replace: how === 'replace',
      resetScroll: false,
    })

  return {
    ...state,
    query: {
      page,
      pageSize,
      ...(sort && { sort, order }),
      ...(search && { search }),
      ...(status && { status }),
      ...filters,
    },
    isFiltered,
    isChanged: isFiltered || Boolean(sort),
    set: (change, how = 'push') => go((now) => ({ ...now, page: 1, ...change }), how),
    reset: () =>
      go(
        (now) => ({ ...now, page: 1, search: '', sort: undefined, order: undefined, status: undefined, filters: {} }),
        'push',
      ),
  }
}
