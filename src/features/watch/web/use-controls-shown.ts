import { type RefObject, useEffect, useState } from 'react'

const hideAfterMs = 3_000

/** Whether the controls are shown: always unless `mayHide`, otherwise while they have the focus and for 3 seconds after any input. */
export function useControlsShown(container: RefObject<HTMLElement | null>, mayHide: boolean): boolean {
  const [isActive, setActive] = useState(true)
  useEffect(() => {
    const element = container.current
    if (!element || !mayHide) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      setActive(true)
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (!element.querySelector('.player-controls')?.contains(document.activeElement)) setActive(false)
      }, hideAfterMs)
    }
    show()
    for (const event of ['pointermove', 'pointerdown', 'focusin', 'focusout']) element.addEventListener(event, show)
    addEventListener('keydown', show)
    return () => {
      clearTimeout(timer)
      for (const event of ['pointermove', 'pointerdown', 'focusin', 'focusout'])
        element.removeEventListener(event, show)
      removeEventListener('keydown', show)
    }
  }, [container, mayHide])
  return isActive || !mayHide
}
