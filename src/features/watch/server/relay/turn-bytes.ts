/** How many bytes are relayed in one turn. Measured with `npm run bench watch`: twice as many save no processor time. */
const turnBytes = 65_536
let relayed = 0
let isScheduled = false
/** Streams that continue in later turns, the first one first. */
const waiting: (() => void)[] = []

/** Counts bytes that are relayed in this turn of the event loop. */
export function countInTurn(bytes: number): void {
  schedule()
  relayed += bytes
}

/**
 * Calls `next` immediately, or in a later turn of the event loop if enough bytes were relayed in this one. Otherwise a segment that is already in kernel buffers
 * would be relayed in one turn, while other requests wait. Of the streams that wait, one continues in each turn.
 */
export function whenTurnAllows(next: () => void): void {
  if (relayed < turnBytes && waiting.length === 0) next()
  else {
    waiting.push(next)
    schedule()
  }
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    relayed = 0
    waiting.shift()?.()
    if (waiting.length > 0) schedule()
  })
}
