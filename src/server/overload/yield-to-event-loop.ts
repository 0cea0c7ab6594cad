let before: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that nobody else was given. A page is rendered in one piece: several in one turn would keep
 * everybody waiting who only has to be told something.
 */
export function yieldToEventLoop(): Promise<void> {
  before = before.then(() => new Promise((resolve) => setImmediate(resolve)))
  return before
}
