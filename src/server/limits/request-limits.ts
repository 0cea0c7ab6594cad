/** Limits of requests, connections and uploads, and of what the server keeps in memory for clients. */
export const requestLimits = {
  bodyBytes: 64 * 1024,
  jsonDepth: 8,
  /** The maximum number of keys in one object; `jsonNodes` limits the keys and array items in the whole body. */
  jsonKeys: 64,
  jsonNodes: 512,
  // WebSockets count as connections too: `maxConnections` is the maximum number of WebSockets plus 2,000 for requests.
  http: {
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    /** How often Node checks these timeouts. */
    checkMs: 2_000,
    /** Announced to clients. Connections are kept open `keepAliveBufferMs` longer, for requests already under way. */
    keepAliveTimeoutMs: 5_000,
    keepAliveBufferMs: 1_000,
    maxHeaderBytes: 16 * 1024,
    maxConnections: 14_000,
    /** Connections that the kernel queues until the process accepts them (one per event-loop turn). The kernel resets further connections. */
    backlog: 4_096,
    /** During shutdown: how long new connections are still accepted. */
    acceptMs: 1_000,
    /** During shutdown: how long the server waits at most until the backlog is empty. */
    quietMs: 4_000,
    /** Connections that are still open this long after shutdown began are closed. */
    drainMs: 10_000,
  },
  /**
   * Concurrency limits: `atOnce` requests run, and `queue` more wait up to `burstMs` during a burst and up to `patienceMs` during sustained overload. Pages of
   * signed-in users may wait `pagePatienceMs`. Administrators also use the reserved slots; a session counts as an administrator's for `administratorMs` after
   * its last request.
   */
  admission: {
    // More parallel requests do not finish sooner, since they share one thread; they only make every event-loop turn longer.
    general: { atOnce: 4, queue: 500, burstMs: 800, patienceMs: 250, pagePatienceMs: 1_000 },
    /** Slow clients occupy these slots for a long time. */
    files: { atOnce: 100, queue: 500, burstMs: 2_000, patienceMs: 2_000 },
    /** `atOnce` is higher than the number of password hashes in parallel (`hashing.atOnce` below), because each request also queries the database. */
    hashing: { atOnce: 3, queue: 16, burstMs: 2_000, patienceMs: 250 },
    /** Logins until the name is looked up. A login then continues in `hashing`, or in `administratorLogins` for an administrator. */
    logins: { atOnce: 8, queue: 300, burstMs: 2_000, patienceMs: 500 },
    administratorLogins: { atOnce: 2, queue: 20, burstMs: 5_000, patienceMs: 5_000 },
    outside: { atOnce: 40, queue: 0, burstMs: 0, patienceMs: 0 },
    /** Uploads of ticket pictures: each request holds a file in memory and lasts until the client has sent it. */
    uploads: { atOnce: 6, queue: 20, burstMs: 5_000, patienceMs: 5_000 },
    /** Stream requests: each one lasts until the viewer has read the response. */
    streams: { atOnce: 400, queue: 0, burstMs: 0, patienceMs: 0 },
    reserved: { atOnce: 6, queue: 100, burstMs: 5_000, patienceMs: 5_000 },
    /** Requests that wait without a slot, for example logins with a name that has many failures. */
    waiting: 500,
    sweepMs: 5,
    administrators: 1_000,
    administratorMs: 30 * 60_000,
    retryAfterSeconds: 2,
    /** How long after a sustained overload garbage is collected. */
    collectGarbageAfterMs: 10_000,
  },
  lists: { default: 100, maximum: 500 },
  /**
   * Ticket pictures. An uploaded file has at most `pixels` pixels. The longer side of a stored picture has at most `side` pixels, that of its thumbnail at most
   * `smallSide`. Unsent pictures are removed after `unsentHours`.
   */
  ticketPicture: { pixels: 40_000_000, side: 2_000, smallSide: 320, storedBytes: 2 * 1024 * 1024, unsentHours: 24 },
  /** `searched`: how many characters from the beginning of a ticket can be searched. `byEmail`: how many tickets may be opened by email. */
  ticket: { searched: 60_000, byEmail: { perAddressAndDay: 5, perHour: 100 } },
  /** Cached pages with query parameters, about 250 KB each. */
  responseCache: { pagesWithQuery: 32, maxAddressLength: 200, imageBytes: 4 * 1024 * 1024 },
  socket: {
    maxPayloadBytes: 4 * 1024,
    maxFragments: 16,
    /** Buffered chunks of an unfinished message, and pongs not yet read by the client. */
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
    /** How long to wait for the close handshake with browsers at shutdown. */
    closeHandshakeMs: 2_000,
    recentMs: 60_000,
    maxRecentChanges: 1_000,
  },
  presence: { requestMs: 5 * 60_000, maxEntries: 5_000, repeatMs: 5_000, textLength: 256, shown: 500 },
  hashing: { atOnce: 2, queue: 20 },
  /**
   * The minimum duration of a request for a new password. It is longer than the work takes, whether or not an email is sent, so that the response time does not
   * reveal which email addresses are registered.
   */
  passwordReset: { minimumMs: 400 },
  /**
   * Uploaded images. An uploaded file has at most `bytes`, and the longer side of the image at most `pixels`. A process decodes `atOnce` images in parallel and
   * queues `queue` more. A stored image has at most `storedBytes`. Images that are not used anywhere are removed after `unusedHours`.
   */
  upload: {
    bytes: 2 * 1024 * 1024,
    pixels: 4_096,
    atOnce: 1,
    queue: 8,
    decodeSeconds: 10,
    storedBytes: 1024 * 1024,
    unusedHours: 24,
  },
}
