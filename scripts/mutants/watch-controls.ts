import type { Mutant } from './mutant.ts'

const watch = 'src/features/watch'
const relay = `${watch}/server/relay`
const outbound = 'src/server/outbound'
const limitsTest = `${watch}/relay-limits.test.ts`
const answersTest = `${watch}/stream-answers.test.ts`

/** Removes a limit of streams: `text`, which occurs in `file` once, is replaced by `instead`. */
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
    'bytes of a playlist',
    `${relay}/open-source.ts`,
    "if (length > limits.relay.playlistBytes) throw new StreamFailure('bad_stream', 'playlist too large')",
    '',
  ),
  ofPlaylist('lines of a playlist', 'lines.length > limits.relay.lines || ', ''),
  ofPlaylist('length of a line', 'line.length > limits.relay.lineBytes', 'false'),
  ofPlaylist('number of variants', '++uris > limits.relay.variants && isMaster', '++uris < 0'),
  ofPlaylist('variants of variants', 'if (isMaster && !mayBeMaster)', 'if (false)'),
  control(
    'third address that must not be called',
    `${relay}/read-playlist.ts`,
    'playlist.skipped >= limits.relay.failures',
    'false',
  ),
  ofSegment('announced bytes of a segment', 'if (length > most)', 'if (false)'),
  ofSegment('bytes of a segment', 'if (sent > most) return fail(tooLarge(kind))', ''),
  ofSegment('bytes of a key', "kind === 'key' ? keyBytes : limits.relay.segmentBytes", 'limits.relay.segmentBytes'),
  ofSegment('a page instead of a segment', 'type === undefined && !range', 'false'),
  control(
    'a short text instead of a segment',
    `${relay}/media-type.ts`,
    'head.length === packet || head[packet]',
    'head.length <= packet || head[packet]',
    answersTest,
  ),
  ofSegment(
    'headers of the panel',
    "'content-type': type ?? mediaTypes.binary,",
    "...(response.headers as Record<string, string>),\n        'content-type': type ?? mediaTypes.binary,",
    answersTest,
  ),
]

const times: Mutant[] = [
  ofSegment('time to the headers of a segment', 'firstByteMs: limits.relay.firstByteMs', 'firstByteMs: 600_000'),
  ofSegment(
    'time to the beginning of a segment',
    'setTimeout(close, limits.relay.firstByteMs)',
    'setTimeout(close, 600_000)',
  ),
  ofSegment('silence of the panel', 'limits.relay.silenceMs', '600_000'),
  ofSegment('time of a segment', 'limits.relay.segmentMs', '600_000'),
  ofSegment('a viewer who does not read', 'limits.relay.stalledMs', '600_000'),
  ofSegment('failures while a segment is sent', 'if (failure) onFailure?.(failure)', '', answersTest),
  control(
    'time to the headers of a playlist',
    `${relay}/open-source.ts`,
    'isFirst ? limits.relay.openMs : limits.relay.firstByteMs',
    '600_000',
  ),
  control(
    'time of a playlist',
    `${relay}/open-source.ts`,
    'setTimeout(close, limits.relay.firstByteMs)',
    'setTimeout(close, 600_000)',
  ),
]

const addresses: Mutant[] = [
  ofAddress('protocol of an address', "if (url.protocol !== 'http:' && url.protocol !== 'https:')", 'if (false)'),
  ofAddress('password in an address', "url.username !== '' || url.password !== ''", 'false'),
  ofAddress('ports of services', ' || servicePorts.has(port)', ''),
  ofAddress('own host', 'if (ownHosts.has(', 'if (false && ownHosts.has('),
  ofAddress('list of hosts', ' && !isOneOf(hosts, url.hostname)', ' && false'),
  ofAddress('http below a panel with https', "base.protocol === 'https:' && url.protocol === 'http:'", 'false'),
  ofAddress('private addresses of other hosts', 'allowPrivate && url.hostname === base.hostname', 'allowPrivate'),
  ofRedirect('number of redirects', "if (hops === limits.relay.redirects) throw new OutboundFailure('redirect')", ''),
  ofRedirect('connection to the checked address', 'lookup: pinnedLookup(addresses),', ''),
  ofRedirect('redirect from https to http', "next.protocol === 'https:' && target.protocol === 'http:'", 'false'),
  ofSealed('a changed address', 'decipher.final()', 'Buffer.alloc(0)'),
  {
    control: 'watch: an address of another play',
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
  ofSealed('end of an address', 'if (endsAt < now) return undefined', ''),
]

const requests: Mutant[] = [
  ofRequest('an address of an earlier channel', ' || state.generation !== target.generation', ''),
  ofRequest('a play that has ended', 'if (state.endedAt !== null)', 'if (false)'),
  ofRequest('one range', 'range !== undefined && !oneRange.test(range)', 'false'),
  ofRequest(
    'a viewer who reads no response',
    '.setTimeout(limits.relay.stalledMs)',
    '',
    `${watch}/unread-streams.test.ts`,
  ),
  ofRequest(
    'requests whose response was not read',
    "else outgoing.once('close', end)",
    'else (end(), outgoing)',
    `${watch}/unread-streams.test.ts`,
  ),
  ofSegment('a range over the end', 'if (refused && response.status === 416 && range) {', 'if (false) {', answersTest),
  control(
    'no room is no failure of a channel',
    `${relay}/relay.ts`,
    "if (failure.reason === 'relay_full') return failure.reason",
    '',
    answersTest,
  ),
  ofRequest('method of a request', "if (request.method !== 'GET')", 'if (false)'),
  ofRequest('a page of another site', "request.header('sec-fetch-site') === 'cross-site'", 'false'),
  ofTraffic('requests at the same time', 'play.requests.size >= relay.atOnce || ', ''),
  ofTraffic('playlists within ten seconds', 'play.playlistsAt.length >= relay.playlists', 'false'),
  ofTraffic('rate of a play', 'Math.max(0, play.sentUntil - now - relay.paceWindowMs)', '0'),
  ofTraffic('places of a process', 'if (this.running >= this.#maxRunning)', 'if (false)'),
  ofTraffic('third failure within a minute', 'play.failedAt.length >= relay.failures', 'false'),
  control(
    'the kept state of a play that ended',
    `${relay}/traffic.ts`,
    'if (play?.state && play.state.value.generation < generation) play.state = undefined',
    '',
    `${watch}/plays.test.ts`,
  ),
  {
    control: 'watch: the age of the kept state of a play',
    edits: [
      { file: `${relay}/traffic.ts`, text: 'known.until > Date.now() && ', instead: '' },
      { file: `${relay}/traffic.ts`, text: 'play.state.until <= now', instead: 'false' },
    ],
    tests: [`${watch}/plays.test.ts`],
  },
  control(
    'two networks that take turns',
    `${watch}/server/stream-route.ts`,
    'request.ip !== undefined && relay.traffic.isShared(id, request.ip)',
    'false',
    `${watch}/plays.test.ts`,
  ),
  control(
    'memory of transport streams',
    `${relay}/packager/packaged-streams.ts`,
    'if (this.slotsLeft < 1)',
    'if (false)',
  ),
  control(
    'a viewer who left while a stream was to be opened again',
    `${relay}/packager/packager.ts`,
    'if (this.isClosed) throw error',
    '',
    `${watch}/packager.test.ts`,
  ),
  control(
    'a permanent refusal ends the attempts to open an interrupted stream again',
    `${relay}/packager/packager.ts`,
    'if (!mayPass) throw error',
    '',
    `${watch}/packager.test.ts`,
  ),
  control(
    'status of the panel',
    `${relay}/upstream-reason.ts`,
    "if (status === 429) return new StreamFailure('too_many', detail)",
    '',
    `${watch}/hostile-streams.test.ts`,
  ),
  control(
    'a playlist that moved is requested once more',
    `${relay}/relay.ts`,
    "kind !== 'playlist' || !isGone || recording !== null",
    'true',
    `${watch}/hostile-streams.test.ts`,
  ),
]

/** The limits of streams and of what panels and viewers may send. */
export const watchControls: Mutant[] = [...sizes, ...times, ...addresses, ...requests]
