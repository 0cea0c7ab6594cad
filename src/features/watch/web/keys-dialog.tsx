import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { playerKeys } from './player-keys.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  singleKeys: boolean
  onSingleKeys: (on: boolean) => void
}

/** The keyboard shortcuts of the player. Those of a single character can be switched off, because speech input can trigger them by accident. */
export function KeysDialog({ open, onOpenChange, singleKeys, onSingleKeys }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="They work while the player has the focus and on this page outside text fields."
      size="wide"
    >
      <dl className="player-keys">
        {playerKeys.map(({ keys, does, single, between }) => (
          <div key={does} data-off={(single && !singleKeys) || undefined}>
            <dt>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && <span className={between ? 'player-keys-or' : 'sr-only'}>{between ?? ' or '}</span>}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Single-key shortcuts"
        hint="Letters, digits and ? work without another key."
        checked={singleKeys}
        onChange={({ target }) => onSingleKeys(target.checked)}
      />
    </Dialog>
  )
}
