import type { UseQueryResult } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface Props<Entry> {
  title: string
  /** The label of the button that adds an entry, such as "Add Plan". If absent, entries cannot be added. */
  addLabel?: string
  onAdd?: (button: HTMLElement) => void
  /** How the list is sorted, and other notes. */
  hint: string
  empty: string
  result: UseQueryResult<Entry[]>
  children: (entries: Entry[]) => ReactNode
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f']

/** A card with a catalog list and its loading, error and empty states. */
export function AdminEntries<Entry>({ title, addLabel, onAdd, hint, empty, result, children }: Props<Entry>) {
  const { data, error, isFetching, refetch } = result
  return (
    <Card
      title={title}
      titleId="entries-title"
      flush
      aside={
        addLabel && (
          <May needs="catalog.edit">
            <Button id="entries-add" variant="ink" size="sm" onClick={({ currentTarget }) => onAdd?.(currentTarget)}>
              <Plus size={18} /> {addLabel}
            </Button>
          </May>
        )
      }
    >
      <p className="px-6 pt-3.5 pb-3 text-sm text-fg-2 max-sm:px-4.5">{hint}</p>
      {data && data.length > 0 && <div className="border-t">{children(data)}</div>}
      {data?.length === 0 && <EmptyState>{empty}</EmptyState>}
      {!data && error && (
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && (
        <div className="grid gap-px border-t" aria-busy="true">
          <span className="sr-only">Loading</span>
          {skeletonRows.map((row) => (
            <div key={row} className="px-6 py-4 max-sm:px-4.5">
              <Skeleton className="h-5 w-64 max-w-full" />
            </div>
          ))}
        </div>
      )}
    </Card>
  )
}
