import type { UseQueryResult } from '@tanstack/react-query'
import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { searchOf } from '#kit/caller.ts'
import type { Page } from '#kit/endpoint.ts'
import { Checkbox } from '../form/checkbox.tsx'
import { useRefetchWhenStale } from '../use-refetch-when-stale.ts'
import { DataTableBody } from './data-table-body.tsx'
import { DataTableBulkBar } from './data-table-bulk-bar.tsx'
import { type Columns, type Features, features, type Row } from './data-table-features.ts'
import { DataTableFoot } from './data-table-foot.tsx'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableMessage } from './data-table-message.tsx'
import { lastPageOf } from './data-table-pages.ts'
import { type Selection, usePageSelection } from './data-table-selection.ts'
import { DataTableSkeleton } from './data-table-skeleton.tsx'
import { DataTableTools } from './data-table-tools.tsx'
import { RowDialogs } from './row-dialogs.tsx'
import { roles } from './table-roles.ts'
import { useHiddenColumns } from './use-hidden-columns.ts'
import type { ListAddress } from './use-list-address.ts'

interface Props<R extends Row> {
  /** The accessible name, also the key under which hidden columns are stored. */
  label: string
  /** The rows in the plural: "users". */
  noun: string
  columns: Columns<R>
  list: ListAddress
  result: Pick<UseQueryResult<Page<R>>, 'data' | 'error' | 'isFetching' | 'refetch'>
  searchPlaceholder?: string
  /** Filters beside the search. Their values are in `list`. */
  filters?: ReactNode
  /** The text when the list has no rows at all. */
  empty: string
  /** The title when the list cannot be loaded. */
  errorTitle?: string
  /** The id of the list. It gets the focus when the row that had it is gone. */
  id?: string
  /** The list changes often, so its total is not announced. */
  quiet?: boolean
  /** Enables row selection for bulk actions. */
  selection?: Selection<R>
  /** The URL of the CSV export. The current search, filters and order are added. */
  exportHref?: string
}

const noRows: never[] = []

/** A list for administrators. The server pages, sorts and searches; the URL holds the state; the rows stay while new ones load. */
export function DataTable<R extends Row>({
  label,
  noun,
  columns,
  list,
  result,
  searchPlaceholder,
  filters,
  empty,
  errorTitle,
  id,
  quiet,
  selection,
  exportHref,
}: Props<R>) {
  const [hidden, setHidden] = useHiddenColumns(label.toLowerCase())
  const { data, error, isFetching } = result
  const ownId = useId()
  const tableId = id ?? ownId
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

  // The last page is unknown while the total is only a minimum.
  const last = data && !data.isMinimum && lastPageOf(data.total, list.pageSize)
  const { page, set } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is a new function in every render
  useEffect(() => {
    if (last && page > last && !isFetching) set({ page: last }, 'replace')
  }, [page, last, isFetching])

  useRefetchWhenStale(result)

  const scroll = useRef<HTMLElement>(null)
  const { page: _page, pageSize: _pageSize, sort: _sort, order: _order, ...narrowed } = list.query
  const pageSelection = usePageSelection(selection, data?.rows ?? noRows, noun, searchOf(narrowed))
  const clear = () => {
    pageSelection?.clear()
    // The clear button, which had the focus, disappears together with the bulk bar.
    scroll.current?.focus()
  }
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    const isOurs =
      target instanceof HTMLElement &&
      currentTarget.contains(target) &&
      !target.matches('input:not([type=checkbox]), select')
    if (key === 'Escape' && isOurs && selection?.selected.length) clear()
  }

  return (
    <RowDialogs rows={data?.rows} tableId={tableId}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only handles Escape, which bubbles up from rows and buttons */}
      <div className="card data-table" onKeyDown={onKeyDown}>
        <DataTableTools
          label={label}
          table={table}
          list={list}
          searchPlaceholder={searchPlaceholder}
          filters={filters}
          selection={pageSelection}
          exportHref={exportHref && exportHref + searchOf({ ...narrowed, sort: list.sort, order: list.order })}
          hiddenColumns={hidden}
          onHiddenColumns={setHidden}
        />
        <section
          ref={scroll}
          id={tableId}
          className="table-scroll"
          aria-label={label}
          tabIndex={0}
          aria-busy={isFetching}
        >
          {isFetching && data && <div className="table-progress" />}
          <table {...roles.table} aria-label={label} className="table table-stack">
            <thead {...roles.rows}>
              {table.getHeaderGroups().map((group) => (
                <tr key={group.id} {...roles.row}>
                  {pageSelection && (
                    <th {...roles.head} scope="col" data-block="select">
                      {pageSelection.possible > 0 ? (
                        <Checkbox
                          aria-label="Select all on this page"
                          checked={pageSelection.onPage === pageSelection.possible}
                          mixed={pageSelection.onPage > 0 && pageSelection.onPage < pageSelection.possible}
                          onChange={pageSelection.togglePage}
                        />
                      ) : (
                        <span className="sr-only">Selected</span>
                      )}
                    </th>
                  )}
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
            {data || error ? (
              <DataTableBody table={table} selection={pageSelection} />
            ) : (
              <DataTableSkeleton
                rows={list.pageSize}
                columns={table.getVisibleLeafColumns().length + (pageSelection ? 1 : 0)}
              />
            )}
          </table>
          <DataTableMessage
            noun={noun}
            error={error}
            total={data?.total}
            isFetching={isFetching}
            isFiltered={list.isFiltered}
            empty={empty}
            errorTitle={errorTitle}
            onRetry={() => void result.refetch()}
            onReset={list.reset}
          />
        </section>
        <DataTableFoot
          noun={noun}
          page={page}
          pageSize={list.pageSize}
          total={data?.total}
          isMinimum={data?.isMinimum}
          loading={isFetching}
          quiet={quiet}
          onPage={(next) => set({ page: next })}
          onPageSize={(pageSize) => set({ pageSize })}
        />
        {pageSelection && selection && (
          <DataTableBulkBar
            noun={noun}
            count={selection.selected.length}
            onPage={pageSelection.onPage}
            actions={selection.actions}
            onClear={clear}
          />
        )}
      </div>
    </RowDialogs>
  )
}
