import type { ReactNode } from 'react'

export type LegendEntry = {
  name: string
  value: ReactNode
  swatch?: 'bar' | 'line' | 'loss' | 'hollow'
  /** A comparison in words. */
  note?: ReactNode
}

/** The legend above a chart: the swatch, name and total of each series. */
export function ChartLegend({ entries }: { entries: LegendEntry[] }) {
  return (
    <dl className="chart-legend">
      {entries.map(({ name, value, swatch, note }) => (
        <div key={name}>
          <dt>
            {swatch && <span aria-hidden="true" className={`legend-${swatch}`} />}
            {name}
          </dt>
          <dd>
            <b>{value}</b>
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
