import type { ReactTable } from '@tanstack/react-table'
import type { Features, Row } from './data-table-features.ts'
import { roles } from './data-table-roles.ts'

export function DataTableBody<R extends Row>({ table }: { table: ReactTable<Features, R> }) {
  return (
    <tbody {...roles.rows}>
      {table.getRowModel().rows.map((row) => (
        <tr key={row.id} {...roles.row}>
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
