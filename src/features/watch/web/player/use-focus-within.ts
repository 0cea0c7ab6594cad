import { type RefObject, useEffect, useRef } from 'react'

/** Whether the focus is in an element, or was there when the focused part of it was removed. */
export function useFocusWithin(container: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isWithin = useRef(false)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      // A navigation moves the focus to the heading for a moment.
      if ((target as Element).matches('h1')) return
      isWithin.current = container.current?.contains(target as Node) === true
    }
    // A press outside the player also takes the focus from it. Removing the focused element does not fire a pointer event.
    const onPress = ({ target }: Event) => {
      if (!container.current?.contains(target as Node)) isWithin.current = false
    }
    addEventListener('focusin', onFocus)
    addEventListener('pointerdown', onPress)
    return () => {
      removeEventListener('focusin', onFocus)
      removeEventListener('pointerdown', onPress)
    }
  }, [container])
  return isWithin
}
