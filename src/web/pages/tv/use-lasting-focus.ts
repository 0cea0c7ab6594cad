import { type RefObject, useEffect } from 'react'

/** Selectors of what gets the focus, in order of preference: the first one with an element on the page is used. */
const targets = ['.tv-stop button', '.tv-player', '[data-channel]', 'button']

/**
 * Keeps an element on the page focused: a remote control has no pointer with which a lost focus could be restored. The focus is lost when the focused element
 * disappears, for example a channel that is no longer offered.
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
    // The focus can also be lost without a DOM change, for example when the page is restored or its window loses the focus.
    document.addEventListener('keydown', restore, true)
    return () => {
      observer.disconnect()
      document.removeEventListener('keydown', restore, true)
    }
  }, [page])
}
