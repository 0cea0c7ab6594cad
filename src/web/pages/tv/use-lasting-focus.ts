import { type RefObject, useEffect } from 'react'

/** What gets the focus, the first of these that is on the page. */
const targets = ['.tv-stop button', '.tv-player', '[data-channel]', 'button']

/**
 * Keeps something on the page focused: a remote control has no pointer to bring a lost focus back. It is lost when the focused element disappears, for
 * example a channel that is no longer offered.
 */
export function useLastingFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const restore = () => {
      const root = page.current
      const focused = document.activeElement
      if (!root || (focused !== null && focused !== document.body && focused !== root)) return
      for (const target of targets) {
        const element = root.querySelector<HTMLElement>(target)
        if (element) return element.focus()
      }
    }
    const observer = new MutationObserver(restore)
    if (page.current) observer.observe(page.current, { childList: true, subtree: true })
    // A page that was restored or lost its window may have no focus without any change.
    document.addEventListener('keydown', restore, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('keydown', restore, true)
    }
  }, [page])
}
