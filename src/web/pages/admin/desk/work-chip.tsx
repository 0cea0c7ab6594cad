import { clsx } from 'clsx'
import type { WorkKind } from '#features/desk/rules.ts'
import { useWork } from './use-work.ts'

const looks = { on_time: undefined, due_soon: 'count-soon', late: 'count-late' }
const screenReaderText = { on_time: '', due_soon: ', due soon', late: ', late' }

/** How much work of these kinds waits, and how long the most urgent kind has waited. Not rendered while none waits. */
export function WorkChip({ kinds }: { kinds: readonly WorkKind[] }) {
  const work = useWork(kinds)
  if (!work) return null
  const { count, age, urgency } = work
  return (
    <span className={clsx('count num', looks[urgency])}>
      <b aria-hidden="true">{count}</b>
      <span aria-hidden="true" className="count-age">
        {age}
      </span>
      <span className="sr-only">
        , {count} waiting, the oldest for {age}
        {screenReaderText[urgency]}
      </span>
    </span>
  )
}
