import { useQuery } from '@tanstack/react-query'
import { getQueue } from '#features/desk/admin-queue-contract.ts'
import { groupOf } from '#features/desk/queue-rules.ts'
import { query } from '#web/data.ts'

const today = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' })

/** The date, and a sentence that says how many items wait and how many are late. */
export function OverviewLead() {
  const { data } = useQuery(query(getQueue, { query: { show: 'all' } }))
  if (!data) return <p className="overview-lead">Loading…</p>
  const total = Object.values(data.totals).reduce((sum, { count }) => sum + count, data.exact.count)
  const late = data.items.filter((item) => groupOf(item, new Date(data.now)) === 'late').length
  const isAllLate = late > 0 && late === data.items.length && total > late
  const waits = total === 0 ? 'Nothing needs you.' : `${total} ${total === 1 ? 'item needs' : 'items need'} you`
  return (
    <p className="overview-lead">
      {today.format(new Date(data.now))}.{' '}
      <b>
        {waits}
        {total > 0 && (late > 0 ? `, ${isAllLate ? 'at least ' : ''}${late} ${late === 1 ? 'is' : 'are'} late.` : '.')}
      </b>
    </p>
  )
}
