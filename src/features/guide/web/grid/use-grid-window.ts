import { type RefObject, useEffect, useState } from 'react'

export type GridWindow = { top: number; left: number; width: number; height: number }
/** Scroll positions are rounded to this many pixels, so that the grid does not render again for every frame of a scroll. */
const step = 42

/** The part of the grid that is in view, in pixels. `initialLeft` is the horizontal scroll position when the grid opens. */
export function useGridWindow(scroll: RefObject<HTMLDivElement | null>, initialLeft: number): GridWindow {
  const [shown, setShown] = useState<GridWindow>({ top: 0, left: initialLeft, width: 1_200, height: 600 })
  useEffect(() => {
    const element = scroll.current
    if (!element) return
    let frame = 0
    const read = () => {
      frame = 0
      const next = {
        top: Math.floor(element.scrollTop / step) * step,
        left: Math.floor(element.scrollLeft / step) * step,
        width: element.clientWidth,
        height: element.clientHeight,
      }
      setShown((before) =>
        Object.entries(next).every(([key, value]) => before[key as keyof GridWindow] === value) ? before : next,
      )
    }
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(read)
    }
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroll])
  return shown
}
