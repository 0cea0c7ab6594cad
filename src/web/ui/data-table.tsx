import type { UseQueryResult } from '@tanstack/react-query'
import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Page } from '#kit/endpoint.ts'
import { Button } from './button.tsx'
import { DataTableBody } from './data-table-body.tsx'
import { DataTableColumns } from './data-table-columns.tsx'
import { type Columns, type Features, features, type Row } from './data-table-features.ts'
import { DataTableFoot } from './data-table-foot.tsx'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableMessage } from './data-table-message.tsx'
import { lastPageOf } from './data-table-pages.ts'
import { roles } from './data-table-roles.ts'
import { DataTableSearch } from './data-table-search.tsx'
import { DataTableSkeleton } from './data-table-skeleton.tsx'
import { DataTableSort } from './data-table-sort.tsx'
import { useHiddenColumns } from './use-hidden-columns.ts'
import type { ListAddress } from './use-list-address.ts'

interface Props<R extends Row> {
  /** Names the table: its caption for screen readers, and the key under which hidden columns are kept. */
  label: string
  /** What the rows are, in the plural: "users". */
  noun: string
  columns: Columns<R>
  list: ListAddress
  result: Pick<UseQueryResult<Page<R>>, 'data' | 'error' | 'isFetching' | 'refetch'>
  searchPlaceholder?: string
  /** Selects beside the search; what they set lives in `list`. */
  filters?: ReactNode
  /** Said when there is nothing at all. */
  empty: string
  /** Where the focus goes when the row it came from is gone. */
  id?: string
}

const noRows: never[] = []

/** A list for administrators: the server pages, sorts and searches, the address keeps the state, the rows stay while new ones come. */
export function DataTable<R extends Row>({ label, noun, columns, list, result, searchPlaceholder, filters, empty, id }: Props<R>) {
  const [hidden, setHidden] = useHiddenColumns(label.toLowerCase())
  const { data, error, isFetching } = result
  const table = useTable<Features, R>({
    features,
    columns,
    data: data?.rows ?? noRows,
    getRowId: (row) => String(row.id),
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    defaultColumn: { enableSorting: false },
    state: {
      sorting: list.sort ? [{ id: list.sort, desc: list.order === 'desc' }] : [],
      columnVisibility: Object.fromEntries(hidden.map((column) => [column, false])),
    },
    onSortingChange: (updater) => {
      const [first] = functionalUpdate(updater, table.state.sorting as SortingState)
      list.set({ sort: first?.id, order: first && (first.desc ? 'desc' : 'asc') })
    },
  })

  const last = data && lastPageOf(data.total, list.pageSize)
  const { page, set } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is made anew with every rendering
  useEffect(() => {
    if (last && page > last && !isFetching) set({ page: last }, 'replace')
  }, [page, last, isFetching])

  const all = table.getAllLeafColumns().map((column) => ({ column, id: column.id, label: String(column.columnDef.header) }))

  return (
    <div className="card data-table">
      <div className="table-tools">
        {searchPlaceholder && <DataTableSearch value={list.search} placeholder={searchPlaceholder} onSearch={(search, how) => set({ search }, how)} />}
        {filters}
        <DataTableSort
          columns={all.filter(({ column }) => column.getCanSort())}
          sort={list.sort}
          order={list.order}
          onSort={(sort, order) => set({ sort, order })}
        />
        {list.isChanged && (
          <Button variant="ghost" onClick={list.reset}>
            <X size={18} />
            Reset
          </Button>
        )}
        <DataTableColumns
          columns={all.filter(({ column }) => column.getCanHide()).map((entry) => ({ ...entry, shown: entry.column.getIsVisible() }))}
          onToggle={(column) => setHidden(hidden.includes(column) ? hidden.filter((other) => other !== column) : [...hidden, column])}
        />
      </div>
      <section id={id} className="table-scroll" aria-label={label} tabIndex={0} aria-busy={isFetching}>
        {isFetching && data && <div className="table-progress" />}
        <table {...roles.table} aria-label={label} className="table table-stack">
          <thead {...roles.rows}>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} {...roles.row}>
                {group.headers.map(({ column }) => (
                  <DataTableHead
                    key={column.id}
                    label={String(column.columnDef.header)}
                    align={column.columnDef.meta?.align}
                    block={column.columnDef.meta?.block}
                    sortable={column.getCanSort()}
                    sorted={column.getIsSorted()}
                    onSort={() => column.toggleSorting()}
                  />
                ))}
              </tr>
            ))}
          </thead>
          {data || error ? <DataTableBody table={table} /> : <DataTableSkeleton rows={list.pageSize} columns={table.getVisibleLeafColumns().length} />}
        </table>
        <DataTableMessage
          noun={noun}
          error={error}
          total={data?.total}
          isFetching={isFetching}
          isFiltered={list.isFiltered}
          empty={empty}
          onRetry={() => void result.refetch()}
          onReset={list.reset}
        />
      </section>
      <DataTableFoot
        noun={noun}
        page={page}
        pageSize={list.pageSize}
        total={data?.total}
        loading={isFetching}
        onPage={(next) => set({ page: next })}
        onPageSize={(pageSize) => set({ pageSize })}
      />
    </div>
  )
}
