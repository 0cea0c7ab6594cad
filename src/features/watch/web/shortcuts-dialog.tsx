import { Link } from '@tanstack/react-router'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { playerShortcuts } from './player-shortcuts.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  singleKeys: boolean
  onSingleKeys: (on: boolean) => void
}

/**
 * The dialog with the keyboard shortcuts of the player. Shortcuts with a single character can be turned off, because speech input may trigger them by accident.
 */
export function ShortcutsDialog({ open, onOpenChange, singleKeys, onSingleKeys }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="They work while the player has the focus, and elsewhere on this page except in text fields."
      size="wide"
      sheet
    >
      <dl className="player-keys">
        {playerShortcuts.map(({ keys, action, single, between }) => (
          <div key={action} data-off={(single && !singleKeys) || undefined}>
            <dt>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && <span className={between ? 'player-keys-or' : 'sr-only'}>{between ?? ' or '}</span>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Single-key shortcuts"
        hint="Letters, digits, and ? work without other keys."
        checked={singleKeys}
        onChange={({ target }) => onSingleKeys(target.checked)}
      />
      <p className="player-hint">
        Browsers cannot show the subtitles of some channels: DVB subtitles and teletext.{' '}
        <Link to="/setup">The app</Link> on your TV or phone shows them.
      </p>
    </Dialog>
  )
}
