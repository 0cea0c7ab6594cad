import { type RefObject, useEffect, useRef, useState } from 'react'

const hideAfterMs = 3_000
const hideAfterTouchMs = 4_000

/**
 * Returns whether the controls are shown. Without `mayHide`, they are always shown. Otherwise they are shown while one of them has the focus, while a menu is
 * open, and for 3 seconds after any input, or 4 seconds after a touch. A tap on the video shows the controls and a second tap hides them, so while `isTouch` is
 * true, a click on the video must do nothing else.
 */
export function useControlsShown(
  container: RefObject<HTMLElement | null>,
  mayHide: boolean,
): { areControlsShown: boolean; isTouch: RefObject<boolean> } {
  const [isActive, setActive] = useState(true)
  const isTouch = useRef(false)
  useEffect(() => {
    const element = container.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let tapHides = false
    const show = () => {
      setActive(true)
      clearTimeout(timer)
      if (!mayHide) return
      timer = setTimeout(
        () => {
          if (!isInUse(element, isTouch.current)) setActive(false)
        },
        isTouch.current ? hideAfterTouchMs : hideAfterMs,
      )
    }
    const onPointer = ({ type, pointerType, target }: PointerEvent) => {
      isTouch.current = pointerType === 'touch'
      if (!isTouch.current || !(target instanceof HTMLVideoElement)) show()
      // Read on `pointerdown`, before the press closes an open menu and moves the focus.
      else if (type === 'pointerdown')
        tapHides = element.dataset.idle === undefined && !element.querySelector('[data-menu]')
    }
    const onClick = ({ target }: Event) => {
      if (!isTouch.current || !(target instanceof HTMLVideoElement)) return
      if (tapHides && mayHide) setActive(false)
      else show()
    }
    const onKey = () => {
      isTouch.current = false
      show()
    }
    show()
    for (const event of ['pointermove', 'pointerdown'] as const) element.addEventListener(event, onPointer)
    for (const event of ['focusin', 'focusout']) element.addEventListener(event, show)
    element.addEventListener('click', onClick)
    addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      for (const event of ['pointermove', 'pointerdown'] as const) element.removeEventListener(event, onPointer)
      for (const event of ['focusin', 'focusout']) element.removeEventListener(event, show)
      element.removeEventListener('click', onClick)
      removeEventListener('keydown', onKey)
    }
  }, [container, mayHide])
  return { areControlsShown: isActive || !mayHide, isTouch }
}

/**
 * Whether a menu, the guide or the channel strip is open, or a control has visible focus. A tapped control has the focus without a visible outline, which does
 * not count.
 */
function isInUse(player: HTMLElement, isTouch: boolean): boolean {
  const { activeElement } = document
  const hasFocus = player.querySelector('.player-controls')?.contains(activeElement) === true
  return (
    player.querySelector('[data-menu]') !== null ||
    (hasFocus && (!isTouch || activeElement?.matches(':focus-visible') === true))
  )
}
