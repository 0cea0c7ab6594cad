import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { EditOutcome } from './edit-outcome.tsx'
import type { useEditPreview } from './use-edit-preview.ts'

/** The effect of an edit on paid time, or why it would be refused. */
export function EditPreview({
  preview: { isReady, outcome, error, isFetching, refetch },
}: {
  preview: ReturnType<typeof useEditPreview>
}) {
  if (!isReady) return null
  if (error) {
    const retry = (
      <Button variant="line" size="sm" pending={isFetching} onClick={() => void refetch()}>
        Retry
      </Button>
    )
    return (
      <Note tone="bad" role="alert" action={retry}>
        The effect of this change could not be calculated. {messageOf(error)}
      </Note>
    )
  }
  return (
    <div role="status" aria-busy={isFetching}>
      {!outcome && <p className="text-fg-2">Calculating the effect…</p>}
      {outcome?.refusal && <Note tone="bad">{outcome.refusal.message}</Note>}
      {outcome && !outcome.refusal && <EditOutcome outcome={outcome} />}
    </div>
  )
}
