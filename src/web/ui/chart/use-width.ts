import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Returns a ref for an element and its width in whole pixels; 0 until it is measured. Charts are drawn in CSS pixels instead of a scaled view box, so that their text keeps its size. */
export function useWidth<E extends Element>(): [ref: RefObject<E | null>, width: number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element)
    setWidth(Math.floor(element.getBoundingClientRect().width))
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
