/** Hard limits of every entry point, in one place; nothing relies on a library's default. */
export const limits = {
  bodyBytes: 64 * 1024,
  jsonDepth: 8,
  /** In one object; `jsonNodes` in the whole body. */
  jsonKeys: 64,
  jsonNodes: 512,
  // An open socket is a connection too: room for all of them and for two thousand requests beside them.
  http: {
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    /** How often it is looked whether one of them has passed. */
    checkMs: 2_000,
    /** What clients are told; a connection is kept a little longer, for what they send in the last moment. */
    keepAliveTimeoutMs: 5_000,
    keepAliveBufferMs: 1_000,
    maxHeaderBytes: 16 * 1024,
    maxConnections: 14_000,
    /** Connections that the kernel holds until we take them; those beyond it are reset, and a turn of the event loop takes one. */
    backlog: 4_096,
    /** How long a process that leaves takes new connections, then at most looks for a moment to stop; how long it waits for those it has. */
    acceptMs: 1_000,
    quietMs: 4_000,
    drainMs: 10_000,
  },
  /**
   * Requests worked on at once, by what they do, and how many of each may wait: for `burstMs`, and `patienceMs` when it is no
   * burst. Pages of signed-in people may wait for `pagePatienceMs`. Administrators have the reserved ones besides; a token counts as theirs for `administratorMs`.
   */
  admission: {
    // More at once are not done sooner: they share one thread, whose turns become longer for everybody.
    general: { atOnce: 4, queue: 500, burstMs: 800, patienceMs: 250, pagePatienceMs: 1_000 },
    /** Read slowly by slow readers. */
    files: { atOnce: 100, queue: 500, burstMs: 2_000, patienceMs: 2_000 },
    /** More than there are hashes at once, for what is asked of the database around them. */
    hashing: { atOnce: 3, queue: 16, burstMs: 2_000, patienceMs: 250 },
    /** A login until its name is looked up: then it goes on in `hashing`, or in `administratorLogins` when the name is an administrator's. */
    logins: { atOnce: 8, queue: 300, burstMs: 2_000, patienceMs: 500 },
    administratorLogins: { atOnce: 2, queue: 20, burstMs: 5_000, patienceMs: 5_000 },
    outside: { atOnce: 40, queue: 0, burstMs: 0, patienceMs: 0 },
    reserved: { atOnce: 6, queue: 100, burstMs: 5_000, patienceMs: 5_000 },
    /** Requests that wait without a slot, for example logins with a name that has many failures. */
    waiting: 500,
    sweepMs: 5,
    administrators: 1_000,
    administratorMs: 30 * 60_000,
    retryAfterSeconds: 2,
    /** How long after an overload memory is given back. */
    tidyMs: 10_000,
  },
  lists: { default: 100, maximum: 500 },
  /** Visitors' pages kept with words of their query, some quarter of a megabyte each. */
  ready: { pagesWithWords: 32, longestAddress: 200 },
  socket: {
    maxPayloadBytes: 4 * 1024,
    maxFragments: 16,
    /** Pieces of an unfinished message, and pongs that its sender does not read. */
    maxChunks: 64,
    maxPendingPongs: 16,
    messages: 20,
    messageWindowMs: 10_000,
    perIp: 20,
    perSession: 5,
    total: 12_000,
    pingMs: 30_000,
    missedPongs: 2,
    maxBufferedBytes: 256 * 1024,
    /** How long a browser has to hear that the process leaves. */
    farewellMs: 2_000,
    recentMs: 60_000,
    recentMost: 1_000,
  },
  presence: { requestMs: 5 * 60_000, most: 5_000, repeatMs: 5_000, textLength: 256, shown: 500 },
  hashing: { atOnce: 2, queue: 20 },
  outbound: { totalMs: 5_000, bodyBytes: 256 * 1024, headerBytes: 16 * 1024, atOnce: 20 },
  /** Of a panel that lines are made on: `callMs` of one question whatever it takes, `listBytes` of one page of lines. */
  panel: { callMs: 5_000, bodyBytes: 512 * 1024, listBytes: 8 * 1024 * 1024, mostLines: 50_000 },
  /** Of the player API: a list of all channels takes long and is large. `mostImported` of one import, in batches of `importBatch` rows. */
  player: {
    listMs: 30_000,
    listBytes: 64 * 1024 * 1024,
    mostChannels: 100_000,
    mostCategories: 2_000,
    mostImported: 25_000,
    importBatch: 1_000,
  },
  /** A mail that is kept is also what keeps it from being written again: longer than anything reminds ahead. */
  mail: {
    atOnce: 5,
    connectMs: 10_000,
    silenceMs: 15_000,
    totalMs: 45_000,
    leaseSeconds: 120,
    linksKeptDays: 7,
    keptDays: 400,
  },
  /** A turn outlives every call to a panel by far; `gapMs` keeps a long queue from becoming a flood. */
  lines: { turnSeconds: 30, gapMs: 50, mendedAtOnce: 1_000 },
  /** Pictures of channels: small ones, and no more of them than anybody looks at. `pixels` of the longer side: small files unpack to huge pictures. */
  logos: { totalMs: 5_000, bytes: 128 * 1024, pixels: 2_048, most: 2_000, atOnce: 4 },
  breaker: { failures: 5, restMs: 30_000 },
}
