import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Returns a function for the links of the navigation: after the next navigation the heading gets the focus. The site moves the focus only when the
 * path changes, and the tabs of the Admin Panel share one path.
 */
export function useFocusAfterLink(): () => void {
  const router = useRouter()
  const isWaiting = useRef(false)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        if (!isWaiting.current) return
        isWaiting.current = false
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
      }),
    [router],
  )
  return () => {
    isWaiting.current = true
  }
}
