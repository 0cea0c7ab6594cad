import type { ReactTable } from '@tanstack/react-table'
import { Download, X } from 'lucide-react'
import { type ReactNode, use } from 'react'
import { Button } from '../button/button.tsx'
import { ButtonAnchor } from '../button/button-anchor.tsx'
import { Checkbox } from '../form/checkbox.tsx'
import { ListViewsContext } from '../list-views.ts'
import { DataTableColumns } from './data-table-columns.tsx'
import type { Features, Row } from './data-table-features.ts'
import { DataTableSearch } from './data-table-search.tsx'
import type { PageSelection } from './data-table-selection.ts'
import { DataTableSort } from './data-table-sort.tsx'
import type { ListAddress } from './use-list-address.ts'

interface Props<R extends Row> {
  /** The accessible name of the list. */
  label: string
  table: ReactTable<Features, R>
  list: ListAddress
  searchPlaceholder: string | undefined
  filters: ReactNode
  selection: PageSelection<R> | undefined
  /** The URL of the CSV export, with the current search, filters and order. */
  exportHref: string | undefined
  /** The ids of the hidden columns. */
  hiddenColumns: readonly string[]
  onHiddenColumns: (ids: string[]) => void
}

/** The tools above a table: search, filters, sort, selection of the page, reset, export and the column chooser. */
export function DataTableTools<R extends Row>({
  label,
  table,
  list,
  searchPlaceholder,
  filters,
  selection,
  exportHref,
  hiddenColumns,
  onHiddenColumns,
}: Props<R>) {
  const columns = table
    .getAllLeafColumns()
    .map((column) => ({ column, id: column.id, label: String(column.columnDef.header) }))
  const Views = use(ListViewsContext)
  return (
    <div className="table-tools">
      {searchPlaceholder && (
        <DataTableSearch
          value={list.search}
          placeholder={searchPlaceholder}
          onSearch={(search, how) => list.set({ search }, how)}
        />
      )}
      {Views && <Views list={label.toLowerCase()} hiddenColumns={hiddenColumns} onHiddenColumns={onHiddenColumns} />}
      {filters}
      <DataTableSort
        columns={columns.filter(({ column }) => column.getCanSort())}
        sort={list.sort}
        order={list.order}
        onSort={(sort, order) => list.set({ sort, order })}
      />
      {selection && selection.possible > 0 && (
        <Checkbox
          className="table-select-page"
          label="Select all on this page"
          checked={selection.onPage === selection.possible}
          mixed={selection.onPage > 0 && selection.onPage < selection.possible}
          onChange={selection.togglePage}
        />
      )}
      {list.isChanged && (
        <Button variant="ghost" onClick={list.reset}>
          <X size={18} />
          Reset
        </Button>
      )}
      {exportHref && (
        <ButtonAnchor className="table-export" variant="line" href={exportHref} download title="Export CSV">
          <Download size={18} />
          <span className="table-label">Export CSV</span>
        </ButtonAnchor>
      )}
      <DataTableColumns
        columns={columns
          .filter(({ column }) => column.getCanHide())
          .map((entry) => ({ ...entry, shown: entry.column.getIsVisible() }))}
        onToggle={(column) =>
          onHiddenColumns(
            hiddenColumns.includes(column)
              ? hiddenColumns.filter((other) => other !== column)
              : [...hiddenColumns, column],
          )
        }
      />
    </div>
  )
}
