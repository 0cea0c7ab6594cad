import type { Mutant } from './mutant.ts'

const watch = 'src/features/watch'
const relay = `${watch}/server/relay`
const outbound = 'src/server/outbound'
const limitsTest = `${watch}/relay-limits.test.ts`
const answersTest = `${watch}/stream-answers.test.ts`

/** Returns a mutant that removes a limit of streams: `text`, which occurs in `file` once, is replaced by `instead`. */
const control = (name: string, file: string, text: string, instead: string, test = limitsTest): Mutant => ({
  control: `watch: ${name}`,
  edits: [{ file, text, instead }],
  tests: [test],
})
const ofPlaylist = (name: string, text: string, instead: string): Mutant =>
  control(name, `${relay}/playlist.ts`, text, instead, `${watch}/playlist.test.ts`)
const ofSegment = (name: string, text: string, instead: string, test = limitsTest): Mutant =>
  control(name, `${relay}/relay-segment.ts`, text, instead, test)
const ofTraffic = (name: string, text: string, instead: string): Mutant =>
  control(name, `${relay}/traffic.ts`, text, instead)
const ofAddress = (name: string, text: string, instead: string): Mutant =>
  control(name, `${outbound}/stream-address.ts`, text, instead, `${outbound}/stream-address.test.ts`)
const ofRedirect = (name: string, text: string, instead: string): Mutant =>
  control(name, `${outbound}/open-stream.ts`, text, instead, `${outbound}/open-stream.test.ts`)
const ofSealed = (name: string, text: string, instead: string): Mutant =>
  control(name, `${relay}/sealed-address.ts`, text, instead, `${relay}/sealed-address.test.ts`)
const ofRequest = (name: string, text: string, instead: string, test = `${watch}/plays.test.ts`): Mutant =>
  control(name, `${watch}/server/stream-route.ts`, text, instead, test)

const sizes: Mutant[] = [
  control(
    'maximum bytes of a playlist',
    `${relay}/open-source.ts`,
    "if (length > limits.relay.playlistBytes) throw new StreamFailure('bad_stream', 'playlist too large')",
    '',
  ),
  ofPlaylist('maximum lines of a playlist', 'lines.length > limits.relay.lines || ', ''),
  ofPlaylist('maximum length of a playlist line', 'line.length > limits.relay.lineBytes', 'false'),
  ofPlaylist('maximum number of variants', '++uris > limits.relay.variants && isMaster', '++uris < 0'),
  ofPlaylist('no master playlist as a variant', 'if (isMaster && !mayBeMaster)', 'if (false)'),
  control(
    'the third forbidden address in a playlist is a failure',
    `${relay}/read-playlist.ts`,
    'playlist.skipped >= limits.relay.failures',
    'false',
  ),
  ofSegment('maximum announced bytes of a segment', 'if (length > most)', 'if (false)'),
  ofSegment('maximum bytes of a segment', 'if (sent > most) return fail(tooLarge(kind))', ''),
  ofSegment(
    'maximum bytes of a key',
    "kind === 'key' ? keyBytes : limits.relay.segmentBytes",
    'limits.relay.segmentBytes',
  ),
  ofSegment('a web page instead of a segment is refused', 'type === undefined && !range', 'false'),
  control(
    'a short text instead of a segment is refused',
    `${relay}/media-type.ts`,
    'head.length === packet || head[packet]',
    'head.length <= packet || head[packet]',
    answersTest,
  ),
  ofSegment(
    'panel headers are not passed on',
    "'content-type': type ?? mediaTypes.binary,",
    "...(response.headers as Record<string, string>),\n        'content-type': type ?? mediaTypes.binary,",
    answersTest,
  ),
]

const times: Mutant[] = [
  ofSegment(
    'maximum time to the headers of a segment',
    'firstByteMs: limits.relay.firstByteMs',
    'firstByteMs: 600_000',
  ),
  ofSegment(
    'maximum time to the first bytes of a segment',
    'setTimeout(close, limits.relay.firstByteMs)',
    'setTimeout(close, 600_000)',
  ),
  ofSegment('maximum time in which the panel sends nothing', 'limits.relay.silenceMs', '600_000'),
  ofSegment('maximum time of a segment', 'limits.relay.segmentMs', '600_000'),
  ofSegment('maximum time in which a viewer reads nothing', 'limits.relay.stalledMs', '600_000'),
  ofSegment('failures while a segment is sent are reported', 'if (failure) onFailure?.(failure)', '', answersTest),
  control(
    'maximum time to the headers of a playlist',
    `${relay}/open-source.ts`,
    'isFirst ? limits.relay.openMs : limits.relay.firstByteMs',
    '600_000',
  ),
  control(
    'maximum time of a playlist',
    `${relay}/open-source.ts`,
    'setTimeout(close, limits.relay.firstByteMs)',
    'setTimeout(close, 600_000)',
  ),
]

const addresses: Mutant[] = [
  ofAddress(
    'only http and https addresses',
    "if (url.protocol !== 'http:' && url.protocol !== 'https:')",
    'if (false)',
  ),
  ofAddress('no credentials in an address', "url.username !== '' || url.password !== ''", 'false'),
  ofAddress('no ports of other services', ' || servicePorts.has(port)', ''),
  ofAddress('no address of our own host', 'if (ownHosts.has(', 'if (false && ownHosts.has('),
  ofAddress('only listed hosts', ' && !isOneOf(hosts, url.hostname)', ' && false'),
  ofAddress(
    'no http address if the panel uses https',
    "base.protocol === 'https:' && url.protocol === 'http:'",
    'false',
  ),
  ofAddress(
    'private addresses of the panel host only',
    'allowPrivate && url.hostname === base.hostname',
    'allowPrivate',
  ),
  ofRedirect(
    'maximum number of redirects',
    "if (hops === limits.relay.redirects) throw new OutboundFailure('redirect')",
    '',
  ),
  ofRedirect('connection to the checked address', 'lookup: pinnedLookup(addresses),', ''),
  ofRedirect('no redirect from https to http', "next.protocol === 'https:' && target.protocol === 'http:'", 'false'),
  ofSealed('a modified address is refused', 'decipher.final()', 'Buffer.alloc(0)'),
  {
    control: 'watch: an address of another play is refused',
    edits: [
      {
        file: `${relay}/sealed-address.ts`,
        text: "hkdfSync('sha256', key, playId,",
        instead: "hkdfSync('sha256', key, '',",
      },
      {
        file: `${relay}/sealed-address.ts`,
        text: '.setAAD(\n      Buffer.from(playId),\n    )',
        instead: '',
      },
      { file: `${relay}/sealed-address.ts`, text: '.setAAD(Buffer.from(playId))', instead: '' },
    ],
    tests: [`${relay}/sealed-address.test.ts`],
  },
  ofSealed('an expired address is refused', 'if (endsAt < now) return undefined', ''),
]

const requests: Mutant[] = [
  ofRequest('an address of an earlier channel is refused', ' || state.generation !== target.generation', ''),
  ofRequest('a play that has ended is refused', 'if (state.endedAt !== null)', 'if (false)'),
  ofRequest('only one range per request', 'range !== undefined && !oneRange.test(range)', 'false'),
  ofRequest(
    'the connection of a viewer that reads no response is closed',
    '.setTimeout(limits.relay.stalledMs)',
    '',
    `${watch}/unread-streams.test.ts`,
  ),
  ofRequest(
    'a request counts until its response was read',
    "else outgoing.once('close', end)",
    'else (end(), outgoing)',
    `${watch}/unread-streams.test.ts`,
  ),
  ofSegment(
    'a range beyond the end of a segment',
    'if (refused && response.status === 416 && range) {',
    'if (false) {',
    answersTest,
  ),
  control(
    'a full relay is not a channel failure',
    `${relay}/relay.ts`,
    "if (failure.reason === 'relay_full') return failure.reason",
    '',
    answersTest,
  ),
  ofRequest('only GET requests', "if (request.method !== 'GET')", 'if (false)'),
  ofRequest(
    'requests from pages of other sites are refused',
    "request.header('sec-fetch-site') === 'cross-site'",
    'false',
  ),
  ofTraffic('maximum concurrent requests of a play', 'play.requests.size >= relay.atOnce || ', ''),
  ofTraffic('maximum playlists within ten seconds', 'play.playlistsAt.length >= relay.playlists', 'false'),
  ofTraffic('maximum data rate of a play', 'Math.max(0, play.sentUntil - now - relay.paceWindowMs)', '0'),
  ofTraffic('maximum number of requests in a process', 'if (this.running >= this.#maxRunning)', 'if (false)'),
  ofTraffic('maximum failures within a minute', 'play.failedAt.length >= relay.failures', 'false'),
  control(
    'the cached state of an ended play is removed',
    `${relay}/traffic.ts`,
    'if (play?.state && play.state.value.generation < generation) play.state = undefined',
    '',
    `${watch}/plays.test.ts`,
  ),
  {
    control: 'watch: maximum age of the cached state of a play',
    edits: [
      { file: `${relay}/traffic.ts`, text: 'known.until > Date.now() && ', instead: '' },
      { file: `${relay}/traffic.ts`, text: 'play.state.until <= now', instead: 'false' },
    ],
    tests: [`${watch}/plays.test.ts`],
  },
  control(
    'alternating requests from two networks are refused',
    `${watch}/server/stream-route.ts`,
    'request.ip !== undefined && relay.traffic.isShared(id, request.ip)',
    'false',
    `${watch}/plays.test.ts`,
  ),
  control(
    'maximum memory for transport streams',
    `${relay}/packager/packaged-streams.ts`,
    'if (this.slotsLeft < 1)',
    'if (false)',
  ),
  control(
    'a stream is not reopened after its viewer left',
    `${relay}/packager/packager.ts`,
    'if (this.isClosed) throw error',
    '',
    `${watch}/packager.test.ts`,
  ),
  control(
    'a permanent refusal ends the attempts to reopen an interrupted stream',
    `${relay}/packager/packager.ts`,
    'if (!mayPass) throw error',
    '',
    `${watch}/packager.test.ts`,
  ),
  control(
    'the panel status 429 means too many streams',
    `${relay}/upstream-reason.ts`,
    "if (status === 429) return new StreamFailure('too_many', detail)",
    '',
    `${watch}/hostile-streams.test.ts`,
  ),
  control(
    'a playlist that is gone is requested once more',
    `${relay}/relay.ts`,
    "kind !== 'playlist' || !isGone || recording !== null",
    'true',
    `${watch}/hostile-streams.test.ts`,
  ),
]

/** The limits of streams and of what panels and viewers may send. */
export const watchControls: Mutant[] = [...sizes, ...times, ...addresses, ...requests]
