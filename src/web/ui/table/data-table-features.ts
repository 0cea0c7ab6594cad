import {
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  type TableOptions,
  tableFeatures,
} from '@tanstack/react-table'

interface ColumnLook {
  /** Aligns amounts at the end. */
  align?: 'end'
  look?: 'muted'
  /** The role of the cell in the narrow layout: the heading or the buttons of the block. Other cells become labeled rows. */
  block?: 'title' | 'actions'
}

/** The server sorts and pages. The table only holds the sorted column and the visible columns. */
export const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnLook>(),
})
export type Features = typeof features

export type Row = { id: number | string }
export type Columns<R extends Row> = NonNullable<TableOptions<Features, R>['columns']>

/** The column with the buttons of a row: `column.display({ ...actionsColumn, cell })`. */
export const actionsColumn = {
  id: 'actions',
  header: 'Actions',
  enableHiding: false,
  meta: { block: 'actions' },
} as const

/** Builds the columns of a DataTable. Sortable columns set `enableSorting: true`, fixed columns `enableHiding: false`. */
export const columnsFor = <R extends Row>() => createColumnHelper<Features, R>()
