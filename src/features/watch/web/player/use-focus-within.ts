import { type RefObject, useEffect, useRef } from 'react'

/** Whether the focus is in an element, or was until the focused element in it was removed. */
export function useFocusWithin(container: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isWithin = useRef(false)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      isWithin.current = container.current?.contains(target as Node) === true
    }
    // A press outside of the element also ends this. Removing the focused element fires no event of the pointer.
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
