import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listSessions } from '../contract.ts'
import { SessionItem } from './session-item.tsx'

const EndOthersDialog = lazy(() =>
  import('./end-others-dialog.tsx').then((module) => ({ default: module.EndOthersDialog })),
)

/** Lists the user's sessions and ends them. */
export function SessionsCard() {
  const { data: sessions, error, isFetching, refetch } = useQuery(query(listSessions))
  const [openCount, setOpenCount] = useState(0)
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <Card
      title="Where You Are Logged In"
      titleId="sessions-title"
      flush
      aside={
        others > 0 && (
          <Button variant="line" size="sm" aria-haspopup="dialog" onClick={() => setOpenCount(openCount + 1)}>
            Log Out Everywhere Else
          </Button>
        )
      }
    >
      {error && (
        <ErrorState
          title="Error loading your sessions"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!sessions && !error && <Skeleton className="m-6 h-40" />}
      {sessions && (
        <ul className="divide-y divide-line">
          {sessions.map((session) => (
            <SessionItem key={session.id} session={session} />
          ))}
        </ul>
      )}
      <Suspense>{openCount > 0 && <EndOthersDialog key={openCount} others={others} />}</Suspense>
    </Card>
  )
}
