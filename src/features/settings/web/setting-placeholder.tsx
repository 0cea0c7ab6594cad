import { messageOf } from '#kit/caller.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface Props {
  title: string
  /** Null while the section is loading. */
  error: Error | null
  pending: boolean
  onRetry: () => void
}

const lines = ['a', 'b', 'c', 'd']

/** A section of the settings that is loading or failed to load. */
export function SettingPlaceholder({ title, error, pending, onRetry }: Props) {
  return (
    <Card title={title}>
      {error ? (
        <ErrorState title="Error loading data" message={messageOf(error)} pending={pending} onRetry={onRetry} />
      ) : (
        <div className="grid max-w-160 gap-6" aria-busy="true">
          <span className="sr-only">Loading</span>
          {lines.map((line) => (
            <Skeleton key={line} className="h-11 w-full" />
          ))}
        </div>
      )}
    </Card>
  )
}
