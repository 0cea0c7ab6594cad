import type { UseQueryResult } from '@tanstack/react-query'
import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { Download, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { searchOf } from '#kit/caller.ts'
import type { Page } from '#kit/endpoint.ts'
import { Button } from '../button.tsx'
import { ButtonAnchor } from '../button-anchor.tsx'
import { Checkbox } from '../form/checkbox.tsx'
import { useRefetchWhenStale } from '../use-refetch-when-stale.ts'
import { DataTableBody } from './data-table-body.tsx'
import { DataTableBulkBar } from './data-table-bulk-bar.tsx'
import { DataTableColumns } from './data-table-columns.tsx'
import { type Columns, type Features, features, type Row } from './data-table-features.ts'
import { DataTableFoot } from './data-table-foot.tsx'
import { DataTableHead } from './data-table-head.tsx'
import { DataTableMessage } from './data-table-message.tsx'
import { lastPageOf } from './data-table-pages.ts'
import { roles } from './data-table-roles.ts'
import { DataTableSearch } from './data-table-search.tsx'
import { type Selection, usePageSelection } from './data-table-selection.ts'
import { DataTableSkeleton } from './data-table-skeleton.tsx'
import { DataTableSort } from './data-table-sort.tsx'
import { RowDialogs } from './row-dialogs.tsx'
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
  /** Said when the list cannot be loaded. */
  trouble?: string
  /** Of the list itself: the focus goes there when the row it came from is gone. */
  id?: string
  /** The list changes by itself all the time: its total is not read out. */
  quiet?: boolean
  /** Lets rows be chosen, for something that is done with several at once. */
  selection?: Selection<R>
  /** Where the list can be had as CSV; the search, filter and order in force are added. */
  exportHref?: string
}

const noRows: never[] = []

/** A list for administrators: the server pages, sorts and searches, the address keeps the state, the rows stay while new ones come. */
export function DataTable<R extends Row>({
  label,
  noun,
  columns,
  list,
  result,
  searchPlaceholder,
  filters,
  empty,
  trouble,
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

  // While the rows are still being counted nobody knows the last page.
  const last = data && !data.isMinimum && lastPageOf(data.total, list.pageSize)
  const { page, set } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: `set` is made anew with every rendering
  useEffect(() => {
    if (last && page > last && !isFetching) set({ page: last }, 'replace')
  }, [page, last, isFetching])

  useRefetchWhenStale(result)

  const scroll = useRef<HTMLElement>(null)
  const { page: _page, pageSize: _pageSize, sort: _sort, order: _order, ...narrowed } = list.query
  const chosen = usePageSelection(selection, data?.rows ?? noRows, noun, searchOf(narrowed))
  const clear = () => {
    chosen?.clear()
    // The button that was pressed is gone with the bar.
    scroll.current?.focus()
  }
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    const isOurs =
      target instanceof HTMLElement &&
      currentTarget.contains(target) &&
      !target.matches('input:not([type=checkbox]), select')
    if (key === 'Escape' && isOurs && selection?.selected.length) clear()
  }

  const all = table
    .getAllLeafColumns()
    .map((column) => ({ column, id: column.id, label: String(column.columnDef.header) }))

  return (
    <RowDialogs rows={data?.rows} tableId={tableId}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only watches for Escape, which bubbles up from rows and buttons */}
      <div className="card data-table" onKeyDown={onKeyDown}>
        <div className="table-tools">
          {searchPlaceholder && (
            <DataTableSearch
              value={list.search}
              placeholder={searchPlaceholder}
              onSearch={(search, how) => set({ search }, how)}
            />
          )}
          {filters}
          <DataTableSort
            columns={all.filter(({ column }) => column.getCanSort())}
            sort={list.sort}
            order={list.order}
            onSort={(sort, order) => set({ sort, order })}
          />
          {chosen && chosen.possible > 0 && (
            <Checkbox
              className="table-select-page"
              label="Select all on this page"
              checked={chosen.onPage === chosen.possible}
              mixed={chosen.onPage > 0 && chosen.onPage < chosen.possible}
              onChange={chosen.togglePage}
            />
          )}
          {list.isChanged && (
            <Button variant="ghost" onClick={list.reset}>
              <X size={18} />
              Reset
            </Button>
          )}
          {exportHref && (
            <ButtonAnchor
              className="table-export"
              variant="line"
              href={exportHref + searchOf({ ...narrowed, sort: list.sort, order: list.order })}
              download
            >
              <Download size={18} />
              Export CSV
            </ButtonAnchor>
          )}
          <DataTableColumns
            columns={all
              .filter(({ column }) => column.getCanHide())
              .map((entry) => ({ ...entry, shown: entry.column.getIsVisible() }))}
            onToggle={(column) =>
              setHidden(hidden.includes(column) ? hidden.filter((other) => other !== column) : [...hidden, column])
            }
          />
        </div>
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
                  {chosen && (
                    <th {...roles.head} scope="col" data-block="select">
                      {chosen.possible > 0 ? (
                        <Checkbox
                          aria-label="Select all on this page"
                          checked={chosen.onPage === chosen.possible}
                          mixed={chosen.onPage > 0 && chosen.onPage < chosen.possible}
                          onChange={chosen.togglePage}
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
              <DataTableBody table={table} selection={chosen} />
            ) : (
              <DataTableSkeleton
                rows={list.pageSize}
                columns={table.getVisibleLeafColumns().length + (chosen ? 1 : 0)}
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
            trouble={trouble}
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
        {chosen && selection && (
          <DataTableBulkBar
            noun={noun}
            count={selection.selected.length}
            onPage={chosen.onPage}
            actions={selection.actions}
            onClear={clear}
          />
        )}
      </div>
    </RowDialogs>
  )
}
