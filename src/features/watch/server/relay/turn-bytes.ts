/** `npm run bench watch`: with twice as much, relaying takes as much processor time. */
const turnBytes = 65_536
let relayed = 0

/** Counts bytes of streams that are relayed in this turn of the event loop. */
export function countInTurn(bytes: number): void {
  if (relayed === 0) setImmediate(() => (relayed = 0))
  relayed += bytes
}

/**
 * Calls `next` at once, or in the next turn of the event loop if enough bytes were relayed in this one. Otherwise a segment that is already in the buffers
 * of the kernel would be relayed in one turn, while other requests wait.
 */
export function whenTurnAllows(next: () => void): void {
  if (relayed < turnBytes) next()
  else setImmediate(next)
}
