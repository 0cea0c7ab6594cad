import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listReports } from '../contract.ts'
import { ReportItem } from './report-item.tsx'

/** The user's reports. A failed refresh shows an error and keeps the current list. */
export function ReportList() {
  const { data: reports, error, isFetching, refetch } = useQuery(query(listReports))
  const refresh = async () => {
    const { isSuccess } = await refetch()
    if (isSuccess) announce('Your reports are up to date')
  }
  return (
    <Card
      title="Your Reports"
      titleId="reports-title"
      flush
      aside={
        <Button variant="line" size="sm" pending={Boolean(reports) && isFetching} onClick={() => void refresh()}>
          {!isFetching && <RefreshCw size={16} />}
          Refresh
        </Button>
      }
    >
      {error && (
        <ErrorState
          title="Error loading your reports"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refresh()}
        />
      )}
      {!reports && !error && <Skeleton className="m-6 h-40" />}
      {reports?.length === 0 && !error && (
        <EmptyState title="No reports submitted">
          If something does not play properly, tell us with the form above.
        </EmptyState>
      )}
      {reports && reports.length > 0 && (
        <ul className="divide-y divide-line">
          {reports.map((report) => (
            <ReportItem key={report.id} report={report} />
          ))}
        </ul>
      )}
    </Card>
  )
}
