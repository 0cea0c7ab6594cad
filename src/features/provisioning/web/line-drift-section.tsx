import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { getPanelStatus } from '../admin-contract.ts'
import { compareLines, countRepairableDrift, listLineDrift } from '../admin-drift-contract.ts'
import { LineDriftItem } from './line-drift-item.tsx'

const RepairLinesDialog = lazy(() =>
  import('./repair-lines-dialog.tsx').then((module) => ({ default: module.RepairLinesDialog })),
)
const compareId = 'line-drift-compare'

/** The differences between the panel and our records. Renders nothing with manual provisioning. */
export function LineDriftSection() {
  const { data: panel } = useQuery(query(getPanelStatus))
  const { data: drift, error, refetch } = useQuery(query(listLineDrift))
  const check = useSend(compareLines, [listLineDrift, countRepairableDrift])
  const { data: counts } = useQuery(query(countRepairableDrift, { query: {} }))
  const repairable = counts?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0
  const [repair, openRepair] = useOpenDialog<NonNullable<typeof counts>>(compareId)
  if (!panel || (panel.kind === 'manual' && panel.panels.length === 1)) return null
  const isWaiting = drift?.askedAt !== null && drift !== undefined
  return (
    <Card
      title="Comparison with the panel"
      titleId="line-drift"
      className="mt-8"
      aside={
        <span className="flex flex-wrap gap-2">
          {counts && repairable > 1 && (
            <Button size="sm" onClick={({ currentTarget }) => openRepair(counts, currentTarget)}>
              Repair {repairable.toLocaleString('en-US')} Together
            </Button>
          )}
          <Button
            id={compareId}
            size="sm"
            variant="line"
            pending={check.isPending || isWaiting}
            onClick={() =>
              check.mutate(
                {},
                {
                  onError: (failure) =>
                    toast({ title: 'Comparison not started', description: messageOf(failure), variant: 'destructive' }),
                },
              )
            }
          >
            Compare now
          </Button>
        </span>
      }
    >
      {error && <ErrorState title="Error loading data" message={messageOf(error)} onRetry={() => void refetch()} />}
      {drift && (
        <p className="text-fg-2" role="status">
          {drift.checkedAt === null ? (
            (drift.note ?? 'Not compared yet. Lines are compared every night.')
          ) : (
            <>
              Last compared <DateText value={drift.checkedAt} look="minute" />.
            </>
          )}
          {drift.checkedAt !== null && drift.note && ` ${drift.note}`}
          {drift.checkedAt !== null && drift.open === 0 && ' No differences.'}
          {drift.kept > 0 && ` ${drift.kept} ignored.`}
        </p>
      )}
      {drift && drift.rows.length > 0 && (
        <ul aria-label="Differences" className="mt-4 grid divide-y border-t">
          {drift.rows.map((row) => (
            <LineDriftItem key={row.id} drift={row} />
          ))}
        </ul>
      )}
      {drift && drift.open > drift.rows.length && (
        <p className="mt-4 text-fg-2">
          Showing the first {drift.rows.length} of {drift.open}.
        </p>
      )}
      <Suspense>
        {repair && <RepairLinesDialog key={repair.openCount} first={repair.subject} returnTo={repair.returnTo} />}
      </Suspense>
    </Card>
  )
}
