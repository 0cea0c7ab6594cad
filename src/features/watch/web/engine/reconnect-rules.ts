/** How often in a row a stream that was lost is opened again before a message is shown. */
export const maxTries = 4
/** After this time of playback, in milliseconds, an earlier loss no longer counts. */
const steadyMs = 15_000

/** The number of the next try, from 1. `tries`: how many were made since playback was steady; `playedMs`: how long the stream was open since then. */
export const nextTry = (tries: number, playedMs: number): number => (playedMs >= steadyMs ? 1 : tries + 1)

/**
 * How long to wait before a try, in milliseconds: the first one is immediate, the others about 2, 4 and 8 seconds. `random` is from 0 to 1, so that the
 * viewers of a channel do not all come back at the same moment.
 */
export const waitBeforeTry = (tryNumber: number, random: number): number =>
  tryNumber === 1 ? 0 : 1_000 * 2 ** (tryNumber - 1) * (0.75 + random / 2)
