import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { Page } from '#kit/endpoint.ts'
import { DataTable } from './data-table.tsx'
import type { Row } from './data-table-features.ts'
import { FilterSelect } from './filter-select.tsx'
import type { ListRules } from './list-address.ts'
import { type ListAddress, useListAddress } from './use-list-address.ts'

interface Props<R extends Row, Sort extends string, Status extends string>
  extends Omit<ComponentProps<typeof DataTable<R>>, 'list' | 'result'> {
  /** The sorts and statuses of the list. Use a constant. */
  rules: ListRules<Sort, Status>
  /** Returns the query of the list endpoint for the page, search, filters and order in the URL. */
  load: (query: ListAddress<Sort, Status>['query']) => UseQueryOptions<Page<R>, Error, Page<R>, QueryKey>
  /** The status filter, before other filters. */
  statusFilter?: { label: string; all: string; nameOf: (status: Status) => string }
  /** Further filters and buttons. */
  filters?: ReactNode
}

/** A DataTable with its query, whose state is in the URL. Dialogs are opened by the RowButtons of its columns. */
export function AdminList<R extends Row, Sort extends string, Status extends string = never>({
  rules,
  load,
  statusFilter,
  filters,
  ...table
}: Props<R, Sort, Status>) {
  const list = useListAddress(rules)
  const result = useQuery({ ...load(list.query), placeholderData: keepPreviousData })
  return (
    <DataTable
      {...table}
      list={list}
      result={result}
      filters={
        <>
          {statusFilter && (
            <FilterSelect
              {...statusFilter}
              options={rules.statuses ?? []}
              value={list.status}
              onChange={(status) => list.set({ status })}
            />
          )}
          {filters}
        </>
      }
    />
  )
}
