/** All hard limits. No library default is relied on. */
export const limits = {
  bodyBytes: 64 * 1024,
  jsonDepth: 8,
  /** Keys of one object; `jsonNodes` counts the whole body. */
  jsonKeys: 64,
  jsonNodes: 512,
  // WebSockets count as connections too: `maxConnections` allows all of them and 2,000 requests.
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
    /** Connections that the kernel queues until the process accepts them (one per event-loop turn). It resets those beyond. */
    backlog: 4_096,
    /** During shutdown: how long new connections are accepted, how long at most to wait for an empty backlog, and for open connections. */
    acceptMs: 1_000,
    quietMs: 4_000,
    drainMs: 10_000,
  },
  /**
   * Concurrency limits: how many requests run and how many wait, up to `burstMs` during a burst and up to `patienceMs` during sustained
   * overload. Pages of signed-in users may wait `pagePatienceMs`. Administrators also use the reserved slots; a session counts as an
   * administrator's for `administratorMs` after its last request.
   */
  admission: {
    // More parallel requests do not finish sooner, since they share one thread; they only make every event-loop turn longer.
    general: { atOnce: 4, queue: 500, burstMs: 800, patienceMs: 250, pagePatienceMs: 1_000 },
    /** Slow clients occupy these slots for a long time. */
    files: { atOnce: 100, queue: 500, burstMs: 2_000, patienceMs: 2_000 },
    /** More than the parallel hashes, because each request also queries the database. */
    hashing: { atOnce: 3, queue: 16, burstMs: 2_000, patienceMs: 250 },
    /** A login until its name is looked up. It then continues in `hashing`, or in `administratorLogins` for an administrator. */
    logins: { atOnce: 8, queue: 300, burstMs: 2_000, patienceMs: 500 },
    administratorLogins: { atOnce: 2, queue: 20, burstMs: 5_000, patienceMs: 5_000 },
    outside: { atOnce: 40, queue: 0, burstMs: 0, patienceMs: 0 },
    /** Requests for streams: each one lasts as long as the viewer takes to read it. */
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
  /** `searched`: characters of a ticket that a search finds, from the beginning. */
  ticket: { searched: 60_000 },
  /** Cached pages with query parameters, about 250 KB each. */
  responseCache: { pagesWithQuery: 32, longestAddress: 200, imageBytes: 4 * 1024 * 1024 },
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
    recentMost: 1_000,
  },
  presence: { requestMs: 5 * 60_000, most: 5_000, repeatMs: 5_000, textLength: 256, shown: 500 },
  hashing: { atOnce: 2, queue: 20 },
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
  lines: { leaseSeconds: 30, gapMs: 50, repairedAtOnce: 1_000 },
  /**
   * The mailbox of payment emails. An email of more than `bytes` is not fetched. A reader holds the mailbox for
   * `leaseSeconds` and renews that every `renewMs`; it asks for new emails every `pollMs` even if the server announces
   * them. After UIDVALIDITY changes, emails of `rescanDays` are read again. An email that this program fails on is set
   * aside after `tries`. More than `perHour` emails within an hour are read one every `slowMs`. If the DNS query for a key fails, it is repeated every `retryMinutes` for `retryHours`.
   * Administrators are warned after `quietDays` without a payment email if one arrived on `usualDays` of `usualWithin`
   * days before.
   */
  mailbox: {
    bytes: 2_000_000,
    connectMs: 10_000,
    silenceMs: 60_000,
    leaseSeconds: 30,
    renewMs: 10_000,
    pollMs: 30_000,
    takeoverMs: 10_000,
    fetchedAtOnce: 50,
    rescanDays: 30,
    tries: 3,
    retryHours: 24,
    retryMinutes: 10,
    perHour: 1_000,
    slowMs: 5_000,
    silentMinutes: 15,
    quietDays: 3,
    usualDays: 7,
    usualWithin: 10,
    shown: 100,
  },
  /**
   * Uploaded files, and images that are decoded: `pixels` limits the longer side. A process decodes `atOnce` images in parallel and queues
   * `queue` more. `storedBytes` limits an encoded image. Images that nothing shows are removed after `unusedHours`.
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
  /** Uploaded statements: `shownLines` of each verdict are in a preview, `atOnce` payments are compared and stored together. */
  statement: { bytes: 5_000_000, lines: 50_000, shownLines: 500, atOnce: 1_000 },
  /**
   * The relay of streams. A playlist has at most `playlistBytes`, `lines` of `lineBytes`, and `variants`. A segment has at most `segmentBytes`, and
   * may take `segmentMs`; `silenceMs` is the longest pause of the panel, `stalledMs` of the viewer. Of one play, `atOnce` requests run and
   * `playlists` are read in `playlistWindowMs`. `failures` failed requests within `failureWindowMs` end it.
   */
  relay: {
    redirects: 3,
    playlistBytes: 1024 * 1024,
    lines: 20_000,
    lineBytes: 8 * 1024,
    variants: 20,
    segmentBytes: 64 * 1024 * 1024,
    openMs: 15_000,
    firstByteMs: 8_000,
    silenceMs: 15_000,
    segmentMs: 60_000,
    stalledMs: 20_000,
    atOnce: 6,
    playlists: 20,
    playlistWindowMs: 10_000,
    failures: 3,
    failureWindowMs: 60_000,
    /** A play counts while it was seen in the last `liveSeconds`. Each process writes that every `seenMs`, and checks for ended plays every `checkMs`. */
    liveSeconds: 40,
    seenMs: 10_000,
    checkMs: 1_000,
    keptDays: 30,
    /**
     * Transport streams that are cut into segments of `segmentSeconds` or more. A live stream lists `window` segments and keeps `kept`, because many
     * may arrive at once. A recording is read `ahead` segments before the viewer, and keeps `behind` segments and the names of `listed` more after
     * them. A play keeps at most `ringBytes`. `archiveLagMs` is how far recordings are behind the present.
     */
    packager: {
      segmentSeconds: 2,
      window: 6,
      kept: 30,
      ahead: 15,
      behind: 2,
      listed: 60,
      ringBytes: 12 * 1024 * 1024,
      unreadableBytes: 1024 * 1024,
      idleMs: 20_000,
      /** Players do not ask for the playlist of a recording again after its end. */
      endedMs: 5 * 60_000,
      archiveLagMs: 3 * 60_000,
    },
  },
  /**
   * The self-check of a customer: each step has `stepMs`, the reading of the channel `probeMs`, of which it reads `probeBytes` of a segment; if it is
   * dead, it is read again after `repeatMs`. The sample of a connection has `sampleBytes` and can be loaded for `sampleSeconds`. A check that reads the
   * channel uses a screen for `probeSeconds`. Checks are kept `keptDays`.
   */
  selfCheck: {
    stepMs: 3_000,
    probeMs: 6_000,
    probeBytes: 64 * 1024,
    repeatMs: 500,
    sampleBytes: 4 * 1024 * 1024,
    sampleSeconds: 60,
    probeSeconds: 10,
    keptDays: 30,
  },
  /**
   * Events of payment processors: `toleranceSeconds` is the longest time between a signature and its arrival. Data that
   * an event lacks are looked up every minute: its amount for `amountHours`, and the payment that it reverses for
   * `paymentMinutes`. Events without a payment are kept `keptDays`.
   */
  event: {
    bytes: 256 * 1024,
    toleranceSeconds: 300,
    amountHours: 24,
    paymentMinutes: 60,
    retriedAtOnce: 50,
    keptDays: 30,
    shown: 20,
  },
  /**
   * Uploaded lists of customers. `insertedAtOnce` rows are stored by one statement, `appliedAtOnce` by one transaction,
   * so that its locks are held for about a second. Runs that were not applied are removed after `keptDays`.
   */
  imports: {
    bytes: 24_000_000,
    rows: 60_000,
    insertedAtOnce: 500,
    appliedAtOnce: 1_000,
    shownRows: 100,
    emailedPerMinute: 30,
    keptDays: 7,
  },
  /**
   * Reading XMLTV files. A file has at most `packedBytes` as it arrives and `unpackedBytes` as XML; it may take `totalMs`, and pause for `silenceMs`. Its
   * elements are nested at most `mostDepth`, and one tag or comment has at most `silentChars`. The worker thread gets `heapMb` of memory. A process
   * holds a source for `holdSeconds` and extends that every `renewMs`. A source is read every `everyHours`, give or take `jitterHours`, after a failure
   * in `retryHours`, and on request once in `askedMinutes`. Programs are kept to `aheadDays`. An
   * upload arrives in parts of `partBytes`.
   */
  guide: {
    packedBytes: 600 * 1024 * 1024,
    unpackedBytes: 2 * 1024 * 1024 * 1024,
    firstByteMs: 60_000,
    silenceMs: 60_000,
    totalMs: 30 * 60_000,
    mostDepth: 8,
    mostAttributes: 32,
    mostChannels: 50_000,
    mostPrograms: 5_000_000,
    silentChars: 1024 * 1024,
    fieldChars: 4_000,
    heapMb: 256,
    holdSeconds: 120,
    renewMs: 30_000,
    everyHours: 12,
    jitterHours: 1,
    retryHours: 1,
    askedMinutes: 10,
    aheadDays: 15,
    partBytes: 4 * 1024 * 1024,
    uploadDays: 16,
    sources: 20,
  },
  /** Logos that a panel lists for its channels. */
  logos: { totalMs: 5_000, bytes: 128 * 1024, most: 2_000, atOnce: 4 },
  breaker: { failures: 5, restMs: 30_000 },
}
