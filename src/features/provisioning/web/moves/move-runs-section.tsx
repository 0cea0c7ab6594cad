import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { listMoveRuns } from '../../admin-moves-contract.ts'
import { MoveRunItem } from './move-run-item.tsx'

const MoveLinesDialog = lazy(() =>
  import('./move-lines-dialog.tsx').then((module) => ({ default: module.MoveLinesDialog })),
)

/** Moves of lines between panels, with their progress. Renders nothing while there are no moves and fewer than two panels to move between. */
export function MoveRunsSection() {
  const { data, error, refetch, isFetching } = useQuery(query(listMoveRuns))
  const mayEdit = useMay()('lines.edit')
  const [opened, open] = useOpenDialog<'move'>('line-moves')
  if (error && !data)
    return (
      <Card title="Moves between panels" className="mt-8">
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  if (!data || (data.panels.length < 2 && data.runs.length === 0)) return null
  return (
    <Card
      title="Moves between panels"
      titleId="line-moves"
      className="mt-8"
      aside={
        mayEdit &&
        data.panels.length > 1 && (
          <Button size="sm" variant="line" onClick={({ currentTarget }) => open('move', currentTarget)}>
            Move Lines
          </Button>
        )
      }
    >
      {data.runs.length === 0 ? (
        <p className="text-fg-2">No lines have been moved yet.</p>
      ) : (
        <ul aria-label="Moves" className="grid divide-y">
          {data.runs.map((run) => (
            <MoveRunItem key={run.id} run={run} />
          ))}
        </ul>
      )}
      <Suspense>
        {opened && <MoveLinesDialog key={opened.openCount} panels={data.panels} returnTo={opened.returnTo} />}
      </Suspense>
    </Card>
  )
}
