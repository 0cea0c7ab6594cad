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
