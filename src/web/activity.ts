import { backgroundHeader } from '#kit/background.ts'

const idleMs = 60_000

/**
 * Returns a function that adds the background header to a request when the last key press, click, touch or scroll is more than a minute ago.
 * Background requests do not extend a session. Loading the page counts as activity. `now` returns milliseconds.
 */
export function backgroundMarker(
  target: Pick<EventTarget, 'addEventListener'>,
  now = () => performance.now(),
): (init: RequestInit) => RequestInit {
  let lastActivity = now()
  const recordActivity = () => {
    lastActivity = now()
  }
  for (const event of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
    target.addEventListener(event, recordActivity, { capture: true, passive: true })
  return (init) =>
    now() - lastActivity < idleMs
      ? init
      : { ...init, headers: { ...(init.headers as Record<string, string>), [backgroundHeader]: '1' } }
}
