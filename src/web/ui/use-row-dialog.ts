import { useCallback, useState } from 'react'

export interface OpenedRow<R> {
  row: R
  /** New for every opening: the dialog's key. */
  turn: number
  /** Takes the focus when the dialog closes: the button it was opened with, or the list when that row is gone. */
  returnTo: () => HTMLElement | null
}

/** A dialog about one row of a DataTable, which has `tableId`: rendered from its first opening on, anew for every one. */
export function useRowDialog<R>(tableId: string): [opened: OpenedRow<R> | undefined, open: (row: R, button: HTMLElement) => void] {
  const [opened, setOpened] = useState<OpenedRow<R>>()
  const open = useCallback(
    (row: R, button: HTMLElement) =>
      setOpened((before) => ({
        row,
        turn: (before?.turn ?? 0) + 1,
        returnTo: () => (button.isConnected ? button : document.getElementById(tableId)),
      })),
    [tableId],
  )
  return [opened, open]
}
