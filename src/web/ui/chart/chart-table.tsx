import { Table2 } from 'lucide-react'

export type ChartColumn<Row> = { name: string; value: (row: Row) => string | number }
interface Props<Row> {
  caption: string
  rows: Row[]
  /** The first column names the row; the other columns contain numbers. */
  columns: ChartColumn<Row>[]
}

/** The data of a chart as a table, initially collapsed. */
export function ChartTable<Row>({ caption, rows, columns }: Props<Row>) {
  const [first, ...numbers] = columns
  return (
    <details className="chart-details">
      <summary>
        <Table2 size={16} /> Show as table
      </summary>
      <section className="chart-table" aria-label={caption} tabIndex={0}>
        <table>
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={first!.value(row)}>
                <th scope="row">{first!.value(row)}</th>
                {numbers.map(({ name, value }) => (
                  <td key={name}>{value(row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
