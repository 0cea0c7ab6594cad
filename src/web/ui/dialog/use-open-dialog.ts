import { useCallback, useState } from 'react'

export interface OpenDialog<Subject> {
  subject: Subject
  /** Changes with every opening; use it as the key of the dialog. */
  openCount: number
  /** Gets the focus when the dialog closes: the button that opened it, or the fallback when that button is gone. */
  returnTo: () => HTMLElement | null
}

/**
 * Returns the state of a dialog that is opened for a subject, such as a row, and a function that opens it. The state is undefined until the first opening.
 * `fallbackId` is the id of the element that gets the focus on closing when the button is gone.
 */
export function useOpenDialog<Subject>(
  fallbackId?: string,
): [opened: OpenDialog<Subject> | undefined, open: (subject: Subject, button: HTMLElement) => void] {
  const [opened, setOpened] = useState<OpenDialog<Subject>>()
  const open = useCallback(
    (subject: Subject, button: HTMLElement) =>
      setOpened((before) => ({
        subject,
        openCount: (before?.openCount ?? 0) + 1,
        // After a change, a filter may hide the row together with its button.
        returnTo: () => (button.isConnected || !fallbackId ? button : document.getElementById(fallbackId)),
      })),
    [fallbackId],
  )
  return [opened, open]
}
