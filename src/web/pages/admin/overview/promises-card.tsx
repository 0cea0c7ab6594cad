import { useQuery } from '@tanstack/react-query'
import { getPromises } from '#features/desk/admin-overview-contract.ts'
import type { PromisedKind } from '#features/desk/queue-rules.ts'
import { query } from '#web/data.ts'

const names: Record<PromisedKind, string> = {
  payment: 'Payments',
  card_link: 'Card links',
  line: 'Lines',
  trial: 'Trials',
  report: 'Reports',
  inquiry: 'Inquiries',
  ticket: 'Tickets',
  refund: 'Refunds',
}
/** Percentages below this are emphasized. */
const lowPercent = 90

/** For each kind of work, the percentage that was done within the promised time in the last seven days. Renders nothing if no work was done. */
export function PromisesCard() {
  const { data } = useQuery(query(getPromises))
  if (!data || data.length === 0) return null
  return (
    <section className="card desk-card" aria-labelledby="promises-heading">
      <div className="desk-card-head">
        <h2 id="promises-heading">Promises kept</h2>
        <span className="text-fg-2">7 days</span>
      </div>
      <ul className="promises desk-card-body">
        {data.map(({ kind, done, inTime }) => {
          const percent = Math.floor((inTime / done) * 100)
          return (
            <li key={kind} title={`${inTime} of ${done} within the promised time`}>
              <span>{names[kind]}</span>
              <svg className="promises-bar" data-low={percent < lowPercent} aria-hidden="true">
                <rect width={`${percent}%`} height="100%" rx="4" />
              </svg>
              <b className="num">{percent}%</b>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
