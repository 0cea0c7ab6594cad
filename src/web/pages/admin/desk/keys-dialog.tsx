import { useState } from 'react'
import { Dialog } from '#web/ui/dialog/dialog.tsx'

const keys = [
  ['Ctrl K', 'Search or run a command'],
  ['Ctrl B', 'Expand or collapse the sidebar'],
  ['Ctrl /', 'Show keyboard shortcuts'],
  ['/', 'Search the list on the page'],
  ['J K', 'Go to the next or previous row of the queue or the payments'],
  ['Enter', 'Confirm the selected payment'],
  ['S M U', 'Skip the payment, match it by hand, undo the latest decision'],
  ['Esc', 'Close the open dialog or menu'],
] as const

/** The list of keyboard shortcuts. Remounted for every opening. */
export function KeysDialog() {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Keyboard shortcuts"
      description="On a Mac, press Cmd instead of Ctrl."
    >
      <dl className="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              {(key.startsWith('Ctrl') ? [key] : key.split(' ')).map((each) => (
                <kbd key={each} className="kbd">
                  {each}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
