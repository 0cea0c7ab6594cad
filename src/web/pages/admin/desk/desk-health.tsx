import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { getHealth } from '#features/desk/admin-contract.ts'
import { type Health, healthOf } from '#features/desk/rules.ts'
import { query } from '#web/data.ts'
import { useNow } from '#web/ui/time/use-now.ts'
import { useIsIdle } from './use-is-idle.ts'

const unavailable: Health[] = [{ part: 'database', state: 'bad', text: 'State unknown' }]
const listId = 'desk-health'

/** Describes the part in the worst state: panel, email, database or backup. A click shows the state of each part. */
export function DeskHealth() {
  const { data, isError } = useQuery({ ...query(getHealth), enabled: useIsIdle() })
  const now = useNow()
  const parts = isError && !data ? unavailable : data && now && healthOf(data, now)
  if (!parts) return <div className="desk-health" />
  const [worst] = parts as [Health, ...Health[]]
  const others = parts.filter(({ state }) => state !== 'ok').length - 1
  const isFine = worst.state === 'ok'
  return (
    <div className="desk-health">
      <button type="button" popoverTarget={listId} aria-haspopup="dialog">
        <span className={clsx('dot', `dot-${worst.state}`)} />
        <span className="desk-label">
          <b>{isFine ? 'Everything is fine' : worst.text}</b>
          <span>{isFine ? 'Details' : others > 0 ? `And ${others} more` : 'Everything else is fine'}</span>
        </span>
      </button>
      <div id={listId} popover="auto" role="dialog" aria-label="State of the installation" className="pop pop-health">
        <ul>
          {parts.map(({ part, state, text }) => (
            <li key={part}>
              <span className={clsx('dot', `dot-${state}`)} />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
