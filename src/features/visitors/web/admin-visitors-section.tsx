import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { serverMessageOr } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { exportVisitors, listActiveVisitors, visitorSorts } from '../admin-contract.ts'
import { filterVisitors } from '../rules.ts'
import { visitorColumns } from './admin-visitor-columns.tsx'

const pollMs = 10_000
const failure = 'Failed to fetch active visitors'

/** The Active Visitors tab of the Admin Panel. Refreshes every ten seconds and on change events, unless paused. */
export function AdminVisitorsSection() {
  const [isPaused, setPaused] = useState(false)
  const list = useListAddress({ sorts: visitorSorts })
  const { data, error, isFetching, refetch } = useQuery({
    ...query(listActiveVisitors),
    select: ({ count, visitors }) => {
      const chosen = filterVisitors(visitors, list)
      return {
        count,
        sent: visitors.length,
        total: chosen.length,
        rows: chosen.slice((list.page - 1) * list.pageSize, list.page * list.pageSize),
      }
    },
    enabled: !isPaused,
    refetchInterval: pollMs,
    refetchOnMount: 'always',
  })

  const toggle = () => {
    setPaused(!isPaused)
    announce(isPaused ? 'Live updates resumed' : 'Live updates paused')
  }
  if (error && !data)
    return (
      <Card>
        <ErrorState title={failure} message={reasonOf(error)} pending={isFetching} onRetry={() => void refetch()} />
      </Card>
    )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="flex items-center gap-3 text-lg font-semibold">
          Active Visitors {data && <Badge variant="solid">{data.count}</Badge>}
        </h2>
        <Button variant="line" size="sm" className="ml-auto" onClick={toggle}>
          {isPaused ? <Play size={16} /> : <Pause size={16} />}
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </div>
      {error && <Note tone="bad" role="status" className="mb-4">{`${failure}: ${reasonOf(error)}`}</Note>}
      {data && data.sent < data.count && (
        <p className="mb-4 text-fg-2">{`Showing the latest ${data.sent} of ${data.count} visitors.`}</p>
      )}
      <DataTable
        label="Active Visitors"
        noun="visitors"
        columns={visitorColumns}
        list={list}
        // The list refetches constantly, so refetches show no progress bar.
        result={{ data, error, isFetching: isFetching && !data, refetch }}
        searchPlaceholder="Search visitor, address or page..."
        exportHref={exportVisitors.path}
        empty="No active visitors at the moment"
        quiet
      />
    </>
  )
}

const reasonOf = (error: Error): string => serverMessageOr(error, 'Unknown error')
