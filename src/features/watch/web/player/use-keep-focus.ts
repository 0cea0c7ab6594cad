import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Returns a function to call before a navigation that must not move the focus. Other navigations move it to the heading of the page. */
export function useKeepFocus(): () => void {
  const router = useRouter()
  const focused = useRef<Element>(null)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        const element = focused.current
        focused.current = null
        if (!(element instanceof HTMLElement)) return
        // After the other listeners, one of which focuses the heading.
        queueMicrotask(() => {
          if (element !== document.body && element.isConnected) element.focus({ preventScroll: true })
          else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        })
      }),
    [router],
  )
  return () => {
    focused.current = document.activeElement
  }
}
