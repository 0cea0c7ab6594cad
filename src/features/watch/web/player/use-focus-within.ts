import { type RefObject, useEffect, useRef } from 'react'

/** Returns a ref that is true while the focus is in an element. It stays true if the focused element was removed from it. */
export function useFocusWithin(container: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isWithin = useRef(false)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      isWithin.current = container.current?.contains(target as Node) === true
    }
    // A press outside of the element also sets this to false. Removing the focused element fires no pointer event.
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
