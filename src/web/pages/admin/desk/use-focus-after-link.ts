import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Returns a function for the navigation links to call: it moves the focus to the heading after the next navigation. Elsewhere the focus moves only
 * when the path changes, but the tabs of the Admin Panel share one path.
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
