/** Limits of calls to other servers: panels, mail servers and logos. */
export const callLimits = {
  outbound: { totalMs: 5_000, bodyBytes: 256 * 1024, headerBytes: 16 * 1024, atOnce: 20 },
  /** Calls to a panel that provisions lines: `callMs` per call, `listBytes` per page of lines. */
  panel: { callMs: 5_000, bodyBytes: 512 * 1024, listBytes: 8 * 1024 * 1024, mostLines: 50_000 },
  /** Calls to the player API. The list of all channels is slow and large. One import takes at most `mostImported` rows, `importBatch` per statement. */
  player: {
    listMs: 30_000,
    listBytes: 64 * 1024 * 1024,
    mostChannels: 100_000,
    mostCategories: 2_000,
    mostImported: 25_000,
    importBatch: 1_000,
  },
  /**
   * `keptDays`: a stored mail prevents a second one with the same key, so it is kept longer than the longest lead time
   * of a reminder.
   */
  mail: {
    atOnce: 5,
    connectMs: 10_000,
    silenceMs: 15_000,
    totalMs: 45_000,
    leaseSeconds: 120,
    linksKeptDays: 7,
    keptDays: 400,
  },
  /**
   * `leaseSeconds` is far longer than any call to a panel. `gapMs` is the pause between jobs, so that a long queue does
   * not flood the panel.
   */
  lines: { leaseSeconds: 30, gapMs: 50, repairedAtOnce: 1_000, movedAtOnce: 100 },
  /** Logos that a panel lists for its channels. */
  logos: { totalMs: 5_000, bytes: 128 * 1024, most: 2_000, atOnce: 4 },
  breaker: { failures: 5, restMs: 30_000 },
}
