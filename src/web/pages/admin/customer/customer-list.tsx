import type { ReactNode } from 'react'
import { Card } from '#web/ui/card.tsx'

export interface CustomerRow {
  id: number | string
  main: ReactNode
  note?: ReactNode
  aside?: ReactNode
}

interface Props {
  id: string
  title: string
  aside?: ReactNode
  rows: readonly CustomerRow[]
  /** The text when there are no rows. */
  empty: string
  footer?: ReactNode
}

/** A list on the customer page. */
export function CustomerList({ id, title, aside, rows, empty, footer }: Props) {
  return (
    <Card title={title} titleId={`customer-${id}`} aside={aside} footer={footer} flush={rows.length > 0}>
      {rows.length === 0 ? (
        <p className="text-fg-2">{empty}</p>
      ) : (
        <ul
          id={`customer-${id}-list`}
          className="max-h-96 divide-y divide-line overflow-y-auto"
          aria-labelledby={`customer-${id}`}
          tabIndex={0}
        >
          {rows.map((row) => (
            <li key={row.id} className="flex items-baseline justify-between gap-4 px-4.5 py-2.5 sm:px-6">
              <div className="min-w-0">
                <div className="wrap-anywhere">{row.main}</div>
                {row.note && <div className="text-sm text-fg-2 wrap-anywhere">{row.note}</div>}
              </div>
              {row.aside && <div className="shrink-0 text-right">{row.aside}</div>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
