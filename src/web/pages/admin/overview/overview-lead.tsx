import { useQuery } from '@tanstack/react-query'
import { setupSteps } from '#features/desk/admin-overview-contract.ts'
import { getQueue } from '#features/desk/admin-queue-contract.ts'
import { groupOf } from '#features/desk/queue-rules.ts'
import { query } from '#web/data.ts'
import { useSetup } from './use-setup.ts'

const today = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' })

/** The date, and a sentence that says how many items wait and how many are late. */
export function OverviewLead() {
  const { data } = useQuery(query(getQueue, { query: { show: 'all' } }))
  const { setup } = useSetup()
  if (!data) return 'Loading…'
  const open = setup ? setupSteps.length - setup.done.length : 0
  const total = Object.values(data.totals).reduce((sum, { count }) => sum + count, data.exact.count)
  const late = data.items.filter((item) => groupOf(item, new Date(data.now)) === 'late').length
  const isAllLate = late > 0 && late === data.items.length && total > late
  const none =
    open > 0
      ? `Nothing is waiting. ${open} ${open === 1 ? 'setup step is' : 'setup steps are'} open.`
      : 'Nothing needs your attention.'
  const waits = total === 0 ? none : `${total} ${total === 1 ? 'item needs' : 'items need'} your attention`
  return (
    <span className="overview-lead">
      {today.format(new Date(data.now))}.{' '}
      <b>
        {waits}
        {total > 0 && (late > 0 ? `, ${isAllLate ? 'at least ' : ''}${late} ${late === 1 ? 'is' : 'are'} late.` : '.')}
      </b>
    </span>
  )
}
