import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { playerKeys } from './use-player-keys.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  singleKeys: boolean
  onSingleKeys: (on: boolean) => void
}

/** The keyboard shortcuts of the player. Those of a single character can be switched off, because speech input can trigger them by accident. */
export function KeysDialog({ open, onOpenChange, singleKeys, onSingleKeys }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="player-keys">
        {playerKeys.map(({ keys, does, single }) => (
          <div key={keys} data-off={(single && !singleKeys) || undefined}>
            <dt>{keys}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        label="Single-key shortcuts"
        hint="Letters and ? work without another key."
        checked={singleKeys}
        onChange={({ target }) => onSingleKeys(target.checked)}
      />
    </Dialog>
  )
}
