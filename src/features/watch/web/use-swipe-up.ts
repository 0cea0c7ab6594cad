import { type RefObject, useEffect, useRef } from 'react'

const minPixels = 60

/** Whether a finger that moved by these pixels moved up. */
export const isSwipeUp = (right: number, down: number): boolean => down < -minPixels && -down > 2 * Math.abs(right)

/** Calls `onSwipe` when a finger moves up over the player in full screen. Elsewhere that scrolls the page. */
export function useSwipeUp(container: RefObject<HTMLElement | null>, onSwipe: () => void): void {
  const latest = useRef(onSwipe)
  latest.current = onSwipe
  useEffect(() => {
    const element = container.current
    if (!element) return
    let start: Touch | undefined
    const onStart = ({ touches, target }: TouchEvent) => {
      const isOwn = document.fullscreenElement && !(target as Element).closest('input, [data-menu]')
      start = isOwn && touches.length === 1 ? touches[0] : undefined
    }
    const onEnd = ({ changedTouches: [end] }: TouchEvent) => {
      if (start && end && isSwipeUp(end.clientX - start.clientX, end.clientY - start.clientY)) latest.current()
      start = undefined
    }
    element.addEventListener('touchstart', onStart, { passive: true })
    element.addEventListener('touchend', onEnd)
    return () => {
      element.removeEventListener('touchstart', onStart)
      element.removeEventListener('touchend', onEnd)
    }
  }, [container])
}
