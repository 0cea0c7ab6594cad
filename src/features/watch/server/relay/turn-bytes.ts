/** How many bytes are relayed in one turn. Measured with `npm run bench watch`: twice as many save no processor time. */
const turnBytes = 65_536
let relayed = 0

/** Counts bytes that are relayed in this turn of the event loop. */
export function countInTurn(bytes: number): void {
  if (relayed === 0) setImmediate(() => (relayed = 0))
  relayed += bytes
}

/**
 * Calls `next` immediately, or in the next turn of the event loop if enough bytes were relayed in this one. Otherwise a segment that is already in kernel
 * buffers would be relayed in one turn, while other requests wait.
 */
export function whenTurnAllows(next: () => void): void {
  if (relayed < turnBytes) next()
  else setImmediate(next)
}
