/** Limits of watching: the relay, the self-check and the program guide. */
export const viewingLimits = {
  /**
   * The relay. A playlist has at most `playlistBytes`, `lines` lines of at most `lineBytes`, and `variants` variants. A segment has at most `segmentBytes` and
   * may take `segmentMs`. `silenceMs` is the longest pause of the panel, `stalledMs` that of the viewer. A play runs at most `atOnce` requests in parallel and
   * reads at most `playlists` playlists in `playlistWindowMs`. It ends after `failures` failed requests within `failureWindowMs`. It gets `bytesPerSecond` (40
   * Mbit/s) on average over `paceWindowMs`; anything beyond that is sent later. The sizes of segments that nginx sends are not known. Within `paceWindowMs`,
   * `unlimited` of these segments, as many as playback needs, are sent without a limit, and further ones at `bytesPerSecond` each.
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
    /** The share of `STREAM_MOST` that trials may use. */
    trialShare: 0.9,
    /**
     * A play counts as running if it was seen in the last `liveSeconds`. Each process records every `seenMs` which plays it has seen, and checks for ended
     * plays every `checkMs`. The rows that decide whether a play may continue are read again after `stateMs`.
     */
    liveSeconds: 40,
    seenMs: 10_000,
    checkMs: 750,
    stateMs: 5_000,
    /**
     * Two networks alternate while each of them is used at least every `alternationGapMs`. If they alternate for longer than `sharedAfterMs`, they count as two
     * viewers of one screen.
     */
    alternationGapMs: 20_000,
    sharedAfterMs: 60_000,
    keptDays: 30,
    /**
     * If a channel change follows the previous one within `quickMs`, the new channel is requested from the panel only after `holdMs`, and not at all if another
     * change follows before that. The second quick change in a row waits twice as long, and further ones `maxHoldFactor` times as long.
     */
    quickMs: 1_000,
    holdMs: 300,
    maxHoldFactor: 3,
    /** For how many days it is remembered what a panel does with a line that has no connection left. */
    overLimitDays: 30,
    /**
     * The check whether a page may load a stream directly from the panel. Each call may take `checkMs`. All calls together may take `totalMs`, or `testMs` when
     * an administrator tests the panel. The result for a host is reused for `checkedMs`.
     */
    direct: { checkMs: 2_000, totalMs: 3_000, testMs: 15_000, checkedMs: 5 * 60_000 },
    /**
     * The packager, which cuts transport streams into segments of `segmentSeconds` or more. The playlist of a live stream lists `window` segments. `unlisted`
     * earlier ones are kept for players that read the playlist before the last change, and up to `kept` segments while they are unread, because many may arrive
     * at the same time. A recording is read `ahead` segments ahead of the viewer. `behind` segments that the viewer has passed are kept, and the playlist still
     * lists `listed` earlier ones. A play keeps at most `ringBytes` in memory. `archiveLagMs` is how far recordings are behind the present. If a stream breaks
     * off and the panel does not answer, it is requested again after each of `reopenWaitsMs`.
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
      /** Replaces `idleMs` once a recording has ended, because players do not request its playlist again then. */
      endedMs: 5 * 60_000,
      archiveLagMs: 3 * 60_000,
      reopenWaitsMs: [500, 1_000, 2_000, 4_000],
    },
  },
  /**
   * The self-check of a customer. Each step may take `stepMs`. Reading the channel may take `probeMs` and reads `probeBytes` of a segment; a dead channel is
   * read again after `repeatMs`. The sample that measures a connection has `sampleBytes` and can be loaded for `sampleSeconds` after the check began. From a
   * streaming host, a page loads up to `sampleBytes` in up to `hostMs`. A check that reads the channel uses a screen for `probeSeconds`. Checks are kept for
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
   * Reading XMLTV files. A file has at most `packedBytes` as it arrives and `unpackedBytes` as XML; it may take `totalMs` to arrive, with pauses of up to
   * `silenceMs`. Its elements are nested at most `maxDepth`, and one tag or comment has at most `maxPendingChars`. The worker thread gets `heapMb` of memory. A
   * process claims a source for `claimSeconds` and extends the claim every `renewMs`. A source is read every `everyHours`, plus or minus `jitterHours`; again
   * `retryHours` after a failure; and on request, at most once in `requestGapMinutes`. Programs up to `aheadDays` ahead are stored. A finished upload is kept
   * for `uploadDays`.
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
    requestGapMinutes: 10,
    aheadDays: 15,
    uploadDays: 16,
  },
  /**
   * Program listings from the panel, for channels without an XMLTV file. All processes together make at most `atOnce` calls in parallel and `perMinute` calls
   * per minute, and request each channel at most once in `keptMinutes`. A call may take `callMs`, and a request that needs its result waits up to `waitMs`. At
   * most `bodyBytes` and `rows` of a response are read; at most `programs` programs are stored, up to `aheadHours` ahead.
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
