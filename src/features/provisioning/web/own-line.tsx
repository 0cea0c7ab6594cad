import { useSuspenseQuery } from '@tanstack/react-query'
import { connectionsText } from '#features/iptv/rules.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { getOwnLine } from '../contract.ts'
import { OwnLogin } from './own-login.tsx'

/** A customer's own line, with what to enter in a player. Renders nothing without a line. */
export function OwnLine() {
  const { data: line } = useSuspenseQuery(query(getOwnLine))
  if (!line) return null
  const { state, username, connections, until } = line
  return (
    <Card
      title={line.trial ? 'Your trial line' : 'Your line'}
      titleId="own-line"
      className="mb-5"
      aside={<StatusBadge status={state === 'ready' ? 'active' : state === 'paused' ? 'paused' : 'preparing'} />}
    >
      <p className="mb-5 max-w-[60ch] text-fg-2" role="status">
        {username === null && state === 'preparing' && 'Your line is being set up. It appears here automatically.'}
        {username === null &&
          state === 'manual' &&
          'Our team is creating your TV login. We will email you when it is ready, and it appears here automatically.'}
        {username !== null && state === 'ready' && 'Enter these in your player. They stay the same when you renew.'}
        {username !== null && state === 'preparing' && 'Your line is being updated. Your details stay the same.'}
        {username !== null &&
          state === 'paused' &&
          'Your line is paused because you have no active subscription. After you renew, the same details work again.'}
      </p>
      {username !== null && (
        <OwnLogin line={{ ...line, username }}>
          <div className="border-b px-4 py-3">
            <dt className="text-sm text-fg-2">Connections</dt>
            <dd className="font-semibold">{connections === null ? '-' : connectionsText(connections)}</dd>
          </div>
          <div className="px-4 py-3">
            <dt className="text-sm text-fg-2">{state === 'paused' ? 'Ended' : 'Paid until'}</dt>
            <dd className="font-semibold">
              <DateText value={until} />
            </dd>
          </div>
        </OwnLogin>
      )}
    </Card>
  )
}
