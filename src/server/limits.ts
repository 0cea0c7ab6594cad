/** Hard limits of every entry point, in one place; nothing relies on a library's default. */
export const limits = {
  bodyBytes: 64 * 1024,
  jsonDepth: 8,
  jsonKeys: 64,
  http: { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, keepAliveTimeoutMs: 5_000, maxHeaderBytes: 16 * 1024, maxConnections: 2_000, drainMs: 10_000 },
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
  },
  hashing: { atOnce: 2, queue: 20 },
}
