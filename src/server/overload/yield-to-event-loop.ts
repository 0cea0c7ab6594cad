let previous: Promise<void> = Promise.resolve()

/**
 * Resolves each caller in a separate event-loop turn. Rendering a page is synchronous: several in one turn would delay short
 * requests.
 */
export function yieldToEventLoop(): Promise<void> {
  previous = previous.then(() => new Promise((resolve) => setImmediate(resolve)))
  return previous
}
