/** Limits of watching: the relay of streams, the self-check and the program guide. */
export const viewingLimits = {
  /**
   * The relay of streams. A playlist has at most `playlistBytes`, `lines` of `lineBytes`, and `variants`. A segment has at most `segmentBytes`, and
   * may take `segmentMs`; `silenceMs` is the longest pause of the panel, `stalledMs` of the viewer. A play runs at most `atOnce` requests and
   * reads at most `playlists` in `playlistWindowMs`. `failures` failed requests within `failureWindowMs` end it. It gets `bytesPerSecond` (40 Mbit/s)
   * on average over `paceWindowMs`; more is sent later. The sizes of segments that nginx sends are not known: `unlimited` of them in that time are sent
   * without a limit, as many as playback needs, and the others at `bytesPerSecond` each.
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
    bytesPerSecond: 5_000_000,
    paceWindowMs: 30_000,
    unlimited: 40,
    failures: 3,
    failureWindowMs: 60_000,
    /** Which part of `STREAM_MOST` trials may use. */
    trialShare: 0.9,
    /** A play counts while it was seen in the last `liveSeconds`. Each process records that every `seenMs`, and checks for ended plays every `checkMs`.
     * The rows that decide whether a play may continue are read again after `stateMs`. */
    liveSeconds: 40,
    seenMs: 10_000,
    checkMs: 750,
    stateMs: 5_000,
    /** Two networks take turns while each is used every `turnMs`; after `turnsMs` they are two viewers of one screen. */
    turnMs: 20_000,
    turnsMs: 60_000,
    keptDays: 30,
    /**
     * A change of the channel within `quickMs` after the last one is requested from the panel after `holdMs`, unless another one follows until then; the
     * second one in a row after twice that, and further ones after `mostHolds` times that.
     */
    quickMs: 1_000,
    holdMs: 300,
    mostHolds: 3,
    /** For how long it is used what a panel does with a line that has no connection left. */
    overLimitDays: 30,
    /** Whether a page may load a stream from the panel itself: each call may take `checkMs`, all together `totalMs`, or `testMs` for an administrator. What a host answered is used for `checkedMs`. */
    direct: { checkMs: 2_000, totalMs: 3_000, testMs: 15_000, checkedMs: 5 * 60_000 },
    /**
     * Transport streams that are cut into segments of `segmentSeconds` or more. A live stream lists `window` segments, can send `unlisted` earlier ones
     * to a player that read the playlist before, and keeps up to `kept` that were not read, because many may arrive at once. A recording is read `ahead` segments ahead of the viewer. It keeps `behind` segments that the viewer
     * has passed, and the names of `listed` earlier ones. A play keeps at most `ringBytes`. `archiveLagMs` is how far recordings are behind the
     * present. A stream that broke off is requested again after `reopenWaitsMs` while the panel does not answer.
     */
    packager: {
      segmentSeconds: 2,
      window: 6,
      unlisted: 1,
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
      reopenWaitsMs: [500, 1_000, 2_000, 4_000],
    },
  },
  /**
   * The self-check of a customer: each step may take `stepMs`. Reading the channel may take `probeMs` and reads `probeBytes` of a segment; a dead
   * channel is read again after `repeatMs`. The sample that measures a connection has `sampleBytes` and can be loaded for `sampleSeconds`. From a
   * streaming host, a page loads up to `sampleBytes` in `hostMs`. A check that reads the channel uses a screen for `probeSeconds`. Checks are kept
   * `keptDays`.
   */
  selfCheck: {
    stepMs: 3_000,
    probeMs: 6_000,
    probeBytes: 64 * 1024,
    repeatMs: 500,
    sampleBytes: 4 * 1024 * 1024,
    sampleSeconds: 60,
    hostMs: 3_000,
    probeSeconds: 10,
    keptDays: 30,
  },
  /**
   * Reading XMLTV files. A file has at most `packedBytes` as it arrives and `unpackedBytes` as XML; it may take `totalMs`, and pause for `silenceMs`. Its
   * elements are nested at most `maxDepth`, and one tag or comment has at most `maxPendingChars`. The worker thread gets `heapMb` of memory. A process
   * claims a source for `claimSeconds` and extends the claim every `renewMs`. A source is read every `everyHours`, plus or minus `jitterHours`; again
   * `retryHours` after a failure; and on request at most once in `askedMinutes`. Programs up to `aheadDays` ahead are stored. A finished upload
   * is kept for `uploadDays`.
   */
  guide: {
    packedBytes: 600 * 1024 * 1024,
    unpackedBytes: 2 * 1024 * 1024 * 1024,
    firstByteMs: 60_000,
    silenceMs: 60_000,
    totalMs: 30 * 60_000,
    maxDepth: 8,
    maxAttributes: 32,
    maxChannels: 50_000,
    maxPrograms: 5_000_000,
    maxPendingChars: 1024 * 1024,
    fieldChars: 4_000,
    heapMb: 256,
    claimSeconds: 120,
    renewMs: 30_000,
    everyHours: 12,
    jitterHours: 1,
    retryHours: 1,
    askedMinutes: 10,
    aheadDays: 15,
    uploadDays: 16,
  },
  /**
   * Listings of the panel for channels without an XMLTV file: all processes together make at most `atOnce` calls in parallel and `perMinute`
   * in a minute, and ask for a channel once in `keptMinutes`. A call may take `callMs`, and a request that needs it waits `waitMs`. An answer is read
   * up to `bodyBytes` and `rows`; at most `programs` of it are stored, up to `aheadHours` ahead.
   */
  panelListings: {
    atOnce: 4,
    perMinute: 30,
    keptMinutes: 10,
    callMs: 5_000,
    waitMs: 2_000,
    bodyBytes: 512 * 1024,
    rows: 200,
    programs: 24,
    aheadHours: 24,
  },
}
