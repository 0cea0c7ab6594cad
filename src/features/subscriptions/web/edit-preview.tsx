import { Note } from '#web/ui/note.tsx'
import { EditOutcome } from './edit-outcome.tsx'
import { RetryNote } from './retry-note.tsx'
import type { useEditPreview } from './use-edit-preview.ts'

/** The effect of an edit on paid time, or why it would be refused. */
export function EditPreview({
  preview: { isReady, outcome, error, isFetching, refetch },
}: {
  preview: ReturnType<typeof useEditPreview>
}) {
  if (!isReady) return null
  if (error)
    return (
      <RetryNote
        text="The effect of this change could not be calculated."
        error={error}
        pending={isFetching}
        onRetry={() => void refetch()}
      />
    )
  return (
    <div role="status" aria-busy={isFetching}>
      {!outcome && <p className="text-fg-2">Calculating the effect…</p>}
      {outcome?.refusal && <Note tone="bad">{outcome.refusal.message}</Note>}
      {outcome && !outcome.refusal && <EditOutcome outcome={outcome} />}
    </div>
  )
}
