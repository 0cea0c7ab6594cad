import { useLayoutEffect, useRef } from 'react'

/**
 * Handles keys pressed anywhere on the page, unless `isOn` is false. The listener is attached before the component is painted: a press between the paint and
 * `useEffect` would be lost.
 */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void, isOn = true): void {
  const latest = useRef(onKeyDown)
  latest.current = onKeyDown
  useLayoutEffect(() => {
    if (!isOn) return
    const handle = (event: KeyboardEvent) => latest.current(event)
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [isOn])
}

/** Whether a dialog is open. A dialog that is closing is not, although it is still on the page. */
export const isDialogOpen = (): boolean => document.querySelector('.dialog:not([data-closed])') !== null
