import { Check, ChevronDown, CircleAlert, CircleDashed, X } from 'lucide-react'
import { Spinner } from '#web/ui/spinner.tsx'
import { type Row, type RowState, stateTexts } from './check-rows.ts'

/** The list of results. Results with a problem are expanded and show their measurements. */
export function CheckResults({ rows, isDone }: { rows: Row[]; isDone: boolean }) {
  return (
    <section className="card check-results" aria-label="Results">
      {rows.map((row) => (
        <details key={row.id} open={isDone && (row.state === 'bad' || row.state === 'warn')}>
          <summary>
            <span className="check-mark" data-state={row.state}>
              <MarkIcon state={row.state} />
              <span className="sr-only">{stateTexts[row.state]}</span>
            </span>
            <span>
              <b>{row.name}</b>
              <span>{row.state === 'unchecked' ? 'Not checked' : row.text}</span>
            </span>
            <span className="check-value num">{row.value}</span>
            <ChevronDown size={18} aria-hidden="true" className="check-arrow" />
          </summary>
          <dl>
            {row.details.map(([label, value]) => (
              <div key={label + value}>
                <dt>{label}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  )
}

function MarkIcon({ state }: { state: RowState }) {
  if (state === 'busy') return <Spinner />
  const Icon = { unchecked: CircleDashed, ok: Check, warn: CircleAlert, bad: X }[state]
  return <Icon size={18} aria-hidden="true" />
}
