/** Hard limits of every entry point, in one place; nothing relies on a library's default. */
export const limits = {
  bodyBytes: 64 * 1024,
  jsonDepth: 8,
  /** In one object; `jsonNodes` in the whole body. */
  jsonKeys: 64,
  jsonNodes: 512,
  // An open socket is a connection too: room for all of them and for two thousand requests beside them.
  http: { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, keepAliveTimeoutMs: 5_000, maxHeaderBytes: 16 * 1024, maxConnections: 7_000, drainMs: 10_000 },
  lists: { default: 100, maximum: 500 },
  socket: {
    maxPayloadBytes: 4 * 1024,
    maxFragments: 16,
    messages: 20,
    messageWindowMs: 10_000,
    perIp: 20,
    perSession: 5,
    total: 5_000,
    pingMs: 30_000,
    missedPongs: 2,
    maxBufferedBytes: 256 * 1024,
    recentMs: 60_000,
    recentMost: 1_000,
  },
  presence: { requestMs: 5 * 60_000, most: 5_000, repeatMs: 5_000, textLength: 256, shown: 500 },
  hashing: { atOnce: 2, queue: 20 },
  outbound: { totalMs: 5_000, bodyBytes: 256 * 1024, headerBytes: 16 * 1024, atOnce: 20 },
  /** Of a panel that lines are made on: `callMs` of one question whatever it takes, `listBytes` of one page of lines. */
  panel: { callMs: 5_500, bodyBytes: 512 * 1024, listBytes: 8 * 1024 * 1024, mostLines: 50_000 },
  /** Of the player API: a list of all channels takes long and is large. */
  player: { listMs: 30_000, listBytes: 48 * 1024 * 1024 },
  /** A mail that is kept is also what keeps it from being written again: longer than anything reminds ahead. */
  mail: { atOnce: 5, connectMs: 10_000, silenceMs: 15_000, totalMs: 45_000, leaseSeconds: 120, linksKeptDays: 7, keptDays: 400 },
  /** A turn outlives every call to a panel by far; `gapMs` keeps a long queue from becoming a flood. */
  lines: { turnSeconds: 30, gapMs: 50 },
  breaker: { failures: 5, restMs: 30_000 },
}
