import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  getTimeline,
  maxCounted,
  type TimelineGroup,
  timelineGroups,
} from '#features/customers/admin-timeline-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { pagesOf } from '#web/pages-of.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useAddressFilters } from '#web/ui/table/use-address-filters.ts'
import { TimelineComingUp } from './timeline-coming-up.tsx'
import { TimelineDays } from './timeline-days.tsx'

const CustomerNoteForm = lazy(() =>
  import('./customer-note-form.tsx').then((module) => ({ default: module.CustomerNoteForm })),
)
const names: Record<TimelineGroup, string> = {
  money: 'Money',
  line: 'Line',
  requests: 'Requests',
  emails: 'Emails',
  account: 'Account',
}
const countText = (count: number) => (count > maxCounted ? `${maxCounted}+` : String(count))

/** The history of a customer, newest first. The filter is in the URL. */
export function CustomerTimeline({ user }: { user: { id: number; username: string } }) {
  const { values, set } = useAddressFilters(['filter'])
  const filter = timelineGroups.find((group) => group === values.filter)
  const [count, setCount] = useState(1)
  const timeline = useQuery(
    pagesOf(
      getTimeline,
      count,
      (before) => ({
        params: { userId: user.id },
        query: { ...(filter && { filter }), ...(before && { before }) },
      }),
      ({ next }) => next,
    ),
  )
  const pages = timeline.data ?? []
  const counts = pages[0]?.counts
  const total = counts && timelineGroups.reduce((sum, group) => sum + counts[group], 0)
  const chip = (value: TimelineGroup | undefined, name: string, count: number | null | undefined) => (
    <button
      key={name}
      type="button"
      className="timeline-filter"
      aria-pressed={filter === value}
      onClick={() => {
        setCount(1)
        set({ filter: value })
      }}
    >
      {name}
      {typeof count === 'number' && <b className="num">{countText(count)}</b>}
    </button>
  )
  return (
    <Card
      title="Timeline"
      titleId="customer-timeline"
      flush
      aside={
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend beside the heading
        <div role="group" aria-label="Filter the timeline" className="timeline-filters">
          {chip(undefined, 'All', total)}
          {timelineGroups.map((group) => chip(group, names[group], counts?.[group]))}
        </div>
      }
      footer={
        pages.at(-1)?.next && (
          <Button
            variant="line"
            size="sm"
            pending={timeline.isPlaceholderData}
            onClick={() => setCount(pages.length + 1)}
          >
            Show Earlier
          </Button>
        )
      }
    >
      <div className="customer-note">
        <Suspense>
          <May needs="customers.edit">
            <CustomerNoteForm user={user} />
          </May>
        </Suspense>
      </div>
      {timeline.isPending ? (
        <div role="status" className="card-body">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-80" />
        </div>
      ) : timeline.error && pages.length === 0 ? (
        <ErrorState
          title="Error loading data"
          message={messageOf(timeline.error)}
          pending={timeline.isFetching}
          onRetry={() => void timeline.refetch()}
        />
      ) : (
        <div className="timeline">
          <TimelineComingUp events={pages[0]?.comingUp ?? []} />
          <TimelineDays user={user} entries={pages.flatMap(({ entries }) => entries)} />
        </div>
      )}
    </Card>
  )
}
