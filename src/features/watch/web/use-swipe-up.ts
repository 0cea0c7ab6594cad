import { type RefObject, useEffect, useRef } from 'react'

const minPixels = 60

/** Whether a finger that moved this many pixels to the right and down made a swipe up; both are negative in the opposite direction. */
export const isSwipeUp = (right: number, down: number): boolean => down < -minPixels && -down > 2 * Math.abs(right)

/** Calls `onSwipe` when a finger moves up over the player in full screen. Outside of full screen, that gesture scrolls the page. */
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
