import type { ReactTable } from '@tanstack/react-table'
import { Checkbox } from '../form/checkbox.tsx'
import type { Features, Row } from './data-table-features.ts'
import type { PageSelection } from './data-table-selection.ts'
import { roles } from './table-roles.ts'

interface Props<R extends Row> {
  table: ReactTable<Features, R>
  selection: PageSelection<R> | undefined
}

export function DataTableBody<R extends Row>({ table, selection }: Props<R>) {
  return (
    <tbody {...roles.rows}>
      {table.getRowModel().rows.map((row) => (
        <tr key={row.id} {...roles.row} aria-selected={selection?.has(row.original)}>
          {selection && (
            <td {...roles.cell} data-block="select">
              {selection.can(row.original) && (
                <Checkbox
                  aria-label={`Select ${selection.nameOf(row.original)}`}
                  checked={selection.has(row.original)}
                  onChange={() => selection.toggle(row.original)}
                />
              )}
            </td>
          )}
          {row.getVisibleCells().map((cell) => {
            const { header, meta = {} } = cell.column.columnDef
            return (
              <td
                key={cell.id}
                {...roles.cell}
                className={meta.align}
                data-label={meta.block ? undefined : String(header)}
                data-block={meta.block}
                data-look={meta.look}
              >
                <table.FlexRender cell={cell} />
              </td>
            )
          })}
        </tr>
      ))}
    </tbody>
  )
}
