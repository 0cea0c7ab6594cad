import { messageOf } from '#kit/caller.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Note } from '#web/ui/note.tsx'
import { useForgetDialog } from './use-forget-dialog.tsx'
import { useWatchHistory } from './use-watch-history.ts'

const ignore = () => undefined

/** A checkbox that turns the watch history on or off, and a button that deletes the stored positions. */
export function HistoryCard() {
  const { history, error, isKept, ...changes } = useWatchHistory()
  const { ask, dialog } = useForgetDialog(changes)
  return (
    <Card title="Watch history" titleId="history-title" className="mt-6">
      {error && !history ? (
        <Note tone="bad" role="alert">
          Your watch history setting could not be loaded: {messageOf(error)}
        </Note>
      ) : (
        <>
          <Checkbox
            label="Remember where I stopped in recordings"
            checked={isKept}
            disabled={!history || changes.isPending}
            onChange={({ currentTarget }) => {
              if (currentTarget.checked) changes.setKept(true, ignore)
              else if (history?.items.length === 0) changes.setKept(false, ignore)
              else ask('history', currentTarget)
            }}
          />
          <p className="mt-2 text-sm text-fg-2">
            Recordings that you have not finished are listed on the viewing page and on your TVs, under Continue
            Watching. Only you see them.
          </p>
          {history && history.items.length > 0 && (
            <Button
              variant="line"
              size="sm"
              className="mt-4"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => ask('all', currentTarget)}
            >
              Remove All From Continue Watching
            </Button>
          )}
        </>
      )}
      {dialog}
    </Card>
  )
}
