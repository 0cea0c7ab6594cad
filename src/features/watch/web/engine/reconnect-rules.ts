/** How many times in a row a lost stream is opened again before a message is shown. */
export const maxTries = 4
/** After this time of playback, in milliseconds, an earlier loss no longer counts. */
const steadyMs = 15_000

/**
 * Returns the number of the next try, starting at 1. `tries`: how many tries were made since playback was last steady; `playedMs`: how long the stream played
 * since it was last opened.
 */
export const nextTry = (tries: number, playedMs: number): number => (playedMs >= steadyMs ? 1 : tries + 1)

/**
 * Returns how long to wait before a try, in milliseconds: 0 before the first one, and about 2, 4 and 8 seconds before the others. `random` is a number from 0
 * to 1, so that not all viewers of a channel reconnect at the same time.
 */
export const waitBeforeTry = (tryNumber: number, random: number): number =>
  tryNumber === 1 ? 0 : 1_000 * 2 ** (tryNumber - 1) * (0.75 + random / 2)
