import {
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  type TableOptions,
  tableFeatures,
} from '@tanstack/react-table'

interface ColumnLook {
  /** Amounts stand at the end. */
  align?: 'end'
  look?: 'muted'
  /** What becomes of the cell when a row is a block: its heading, or its button. The others become labelled lines. */
  block?: 'title' | 'actions'
}

/** Sorting and paging happen on the server; the table keeps which column is sorted and which are shown. */
export const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnLook>(),
})
export type Features = typeof features

export type Row = { id: number | string }
export type Columns<R extends Row> = NonNullable<TableOptions<Features, R>['columns']>

/** The column of a row's buttons: `column.display({ ...actionsColumn, cell })`. */
export const actionsColumn = {
  id: 'actions',
  header: 'Actions',
  enableHiding: false,
  meta: { block: 'actions' },
} as const

/** Builds the columns of a DataTable; sortable ones say `enableSorting: true`, fixed ones `enableHiding: false`. */
export const columnsFor = <R extends Row>() => createColumnHelper<Features, R>()
