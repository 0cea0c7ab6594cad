import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'

interface Props {
  test: { isPending: boolean; data?: { ok: boolean; message: string } | undefined; error: Error | null }
  onTest: () => void
}

/** A button that tests a connection with the current values of the form, saved or not, and the test result. */
export function ConnectionTest({ test: { isPending, data, error }, onTest }: Props) {
  return (
    <div className="grid gap-3">
      <div>
        <Button variant="line" pending={isPending} onClick={onTest}>
          Test Connection
        </Button>
      </div>
      <div role="status" className="grid gap-3">
        {!isPending && data && <Note tone={data.ok ? 'ok' : 'bad'}>{data.message}</Note>}
        {!isPending && error && <Note tone="bad">{messageOf(error)}</Note>}
      </div>
    </div>
  )
}
