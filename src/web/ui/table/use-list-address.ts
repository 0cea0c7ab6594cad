import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ListRules, type ListState, readList, writeList } from './list-address.ts'

export interface ListAddress<Sort extends string = string, Status extends string = string>
  extends ListState<Sort, Status> {
  /** For the endpoint: unset fields are left out. */
  query: {
    page: number
    pageSize: number
    sort?: Sort
    order?: 'asc' | 'desc'
    search?: string
    status?: Status
    [filter: string]: unknown
  }
  /** Rows may be missing because of the search or a filter. */
  isFiltered: boolean
  /** Search, filter or order differ from the start. */
  isChanged: boolean
  /** Any change but that of the page starts at page 1. `replace` keeps Back from walking through every letter typed. */
  set: (change: Partial<ListState>, how?: 'push' | 'replace') => void
  reset: () => void
}

/** A list whose page, size, order, search and status live in the address, beside whatever else stands there. */
export function useListAddress<Sort extends string, Status extends string = never>(
  rules: ListRules<Sort, Status>,
): ListAddress<Sort, Status> {
  const address: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readList(address, rules)
  const { page, pageSize, sort, order, search, status, filters } = state
  const isNarrowed = Boolean(search || status || Object.keys(filters).length > 0)

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
    isFiltered: isNarrowed,
    isChanged: isNarrowed || Boolean(sort),
    set: (change, how = 'push') => go((now) => ({ ...now, page: 1, ...change }), how),
    reset: () =>
      go(
        (now) => ({ ...now, page: 1, search: '', sort: undefined, order: undefined, status: undefined, filters: {} }),
        'push',
      ),
  }
}
