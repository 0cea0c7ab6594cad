import { useLocation } from '@tanstack/react-router'
import { ApiError, messageOf } from '#kit/caller.ts'
import { Button } from '../button/button.tsx'
import { ButtonAnchor } from '../button/button-anchor.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorState } from '../error-state.tsx'

interface Props {
  noun: string
  error: Error | null
  total: number | undefined
  isFetching: boolean
  isFiltered: boolean
  /** The text when the list has no rows at all. */
  empty: string
  errorTitle?: string | undefined
  onRetry: () => void
  onReset: () => void
}

/** Shown instead of rows: loading failed, no row matches, or the list is empty. */
export function DataTableMessage({
  noun,
  error,
  total,
  isFetching,
  isFiltered,
  empty,
  errorTitle = 'Error loading data',
  onRetry,
  onReset,
}: Props) {
  const here = useLocation({ select: (location) => location.href })
  if (error && total === undefined) {
    const signedOut = error instanceof ApiError && error.status === 401
    return (
      <ErrorState
        title={errorTitle}
        message={messageOf(error)}
        pending={isFetching}
        onRetry={onRetry}
        // Loads a new document, which discards the data of the expired session.
        action={signedOut && <ButtonAnchor href={`/auth?redirect=${encodeURIComponent(here)}`}>Login</ButtonAnchor>}
      />
    )
  }
  if (total !== 0) return null
  if (!isFiltered) return <EmptyState>{empty}</EmptyState>
  return (
    <EmptyState
      title={`No ${noun} match`}
      action={
        <Button variant="line" onClick={onReset}>
          Clear search and filters
        </Button>
      }
    >
      No results match your search.
    </EmptyState>
  )
}
