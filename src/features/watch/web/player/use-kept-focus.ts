import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Returns a function to call before a navigation within /watch: the focus stays where it is. Other navigations move it to the heading of the page. */
export function useKeptFocus(): () => void {
  const router = useRouter()
  const kept = useRef<Element>(null)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        const element = kept.current
        kept.current = null
        // After the other listeners.
        if (!(element instanceof HTMLElement)) return
        queueMicrotask(() => {
          if (element !== document.body) element.focus({ preventScroll: true })
          else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        })
      }),
    [router],
  )
  return () => {
    kept.current = document.activeElement
  }
}
