import { type PointerEvent, useEffect, useState } from 'react'

/**
 * Returns the index of the point under the pointer, or null, and the event handlers for the plot. The index is cleared when a mouse leaves the plot, by a tap
 * elsewhere and by Escape.
 */
export function useHoveredPoint(count: number, plotWidth: number) {
  const [index, setIndex] = useState<number | null>(null)
  useEffect(() => {
    if (index === null) return
    const close = () => setIndex(null)
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close()
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', close, true)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', close, true)
    }
  }, [index])
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const at = (event.clientX - event.currentTarget.getBoundingClientRect().left) / plotWidth
    setIndex(at < 0 || at > 1 || count === 0 ? null : Math.min(count - 1, Math.floor(at * count)))
  }
  return {
    index: index !== null && index < count ? index : null,
    handlers: {
      onPointerMove: follow,
      onPointerDown: follow,
      onPointerLeave: (event: PointerEvent) => event.pointerType === 'mouse' && setIndex(null),
    },
  }
}
