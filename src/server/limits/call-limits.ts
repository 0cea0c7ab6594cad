/** Limits of calls to other servers: panels, mail servers and the servers of logos. */
export const callLimits = {
  outbound: { totalMs: 5_000, bodyBytes: 256 * 1024, headerBytes: 16 * 1024, atOnce: 20 },
  /** Calls to a panel that provisions lines: a call may take `callMs`, and a response with a page of lines may have `listBytes`. */
  panel: { callMs: 5_000, bodyBytes: 512 * 1024, listBytes: 8 * 1024 * 1024, maxLines: 50_000 },
  /**
   * Calls to the player API. The list of all channels is slow and large. One import adds at most `maxImported` channels, `importBatch` with each SQL statement.
   */
  player: {
    listMs: 30_000,
    listBytes: 64 * 1024 * 1024,
    maxChannels: 100_000,
    maxCategories: 2_000,
    maxImported: 25_000,
    importBatch: 1_000,
  },
  /** `keptDays`: a stored email prevents a second one with the same dedupe key, so it is kept longer than the longest lead time of a reminder. */
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
   * `leaseSeconds` is far longer than any call to a panel. `gapMs` is the pause between jobs, so that a long queue does not flood the panel. `repairBatch`
   * differences are resolved in one transaction. At most `maxOpenMoves` jobs of a run of moves are open.
   */
  lines: { leaseSeconds: 30, gapMs: 50, repairBatch: 1_000, maxOpenMoves: 100 },
  /** Logos that a panel lists for its channels. */
  logos: { totalMs: 5_000, bytes: 128 * 1024, maxLogos: 2_000, atOnce: 4 },
  breaker: { failures: 5, restMs: 30_000 },
}
