import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'

interface Props {
  /** What failed, as a sentence. */
  text: string
  error: Error
  pending: boolean
  onRetry: () => void
}

/** A failed request with a retry button. */
export function RetryNote({ text, error, pending, onRetry }: Props) {
  return (
    <Note
      tone="bad"
      role="alert"
      action={
        <Button variant="ink" size="sm" pending={pending} onClick={onRetry}>
          Retry
        </Button>
      }
    >
      {text} {messageOf(error)}
    </Note>
  )
}
