import { useCallback, useState } from 'react'

export interface Opened<About> {
  about: About
  /** New for every opening: the dialog's key. */
  turn: number
  /** Takes the focus when the dialog closes: the button it was opened with, or the fallback when that is gone. */
  returnTo: () => HTMLElement | null
}

/** What a dialog is open about, rendered from its first opening on and anew for every one. `fallbackId` names the list it belongs to. */
export function useOpened<About>(
  fallbackId?: string,
): [opened: Opened<About> | undefined, open: (about: About, button: HTMLElement) => void] {
  const [opened, setOpened] = useState<Opened<About>>()
  const open = useCallback(
    (about: About, button: HTMLElement) =>
      setOpened((before) => ({
        about,
        turn: (before?.turn ?? 0) + 1,
        // A filter hides what was just changed: its row is gone, and the button with it.
        returnTo: () => (button.isConnected || !fallbackId ? button : document.getElementById(fallbackId)),
      })),
    [fallbackId],
  )
  return [opened, open]
}
