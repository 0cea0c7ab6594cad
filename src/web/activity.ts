import { backgroundHeader } from '#kit/background.ts'

const idleMs = 60_000

/**
 * Marks requests that no person caused: those made more than a minute after the last key, click, touch or scroll. They do not keep a session
 * alive. Loading the page counts as activity.
 */
export function activityOf(
  target: Pick<EventTarget, 'addEventListener'>,
  now = () => performance.now(),
): (init: RequestInit) => RequestInit {
  let last = now()
  const note = () => {
    last = now()
  }
  for (const event of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
    target.addEventListener(event, note, { capture: true, passive: true })
  return (init) =>
    now() - last < idleMs
      ? init
      : { ...init, headers: { ...(init.headers as Record<string, string>), [backgroundHeader]: '1' } }
}
