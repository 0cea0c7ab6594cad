import type { IncomingHttpHeaders } from 'node:http'
import { limits } from '#server/limits.ts'
import { openStream } from '#server/outbound/open-stream.ts'
import { OutboundFailure } from '#server/outbound/outbound.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import type { DirectProblem, DirectProblemCode } from '../../direct-rules.ts'
import type { LineToWatch } from '../plays/line-to-watch.ts'
import { openSource, type PlaylistSource } from '../relay/open-source.ts'
import { hostile, StreamFailure } from '../relay/upstream-reason.ts'
import { containsSecret } from './find-credentials.ts'
import { readAddresses } from './read-addresses.ts'

type Call = {
  line: Pick<LineToWatch, 'username' | 'password'>
  rules: StreamRules
  /** The hosts that pages may load streams from. */
  hosts: readonly string[]
  /** The origin of this site. */
  origin: string
  signal: AbortSignal
  /** Whether to find all problems and to ask each host again, instead of stopping at the first problem. */
  isThorough?: boolean
}
/** The maximum numbers of variant playlists and of hosts of one stream. */
const maxPlaylists = 8
const maxHosts = 4

/**
 * Returns why a browser must not load a stream from the panel; empty if it may. Checks the playlist, which was read with an `Origin` header, the playlists of
 * its variants, and each host's response to a request for a segment. The results for hosts are reused for `limits.relay.direct.checkedMs`, unless `signal`
 * ended the wait. Does not throw if the panel fails.
 */
export async function findProblems(playlist: PlaylistSource, call: Call): Promise<DirectProblem[]> {
  const { hosts, origin, line, isThorough = false } = call
  const found = new Map<string, DirectProblem>()
  const add = (code: DirectProblemCode, host: string | null) => found.set(`${code} ${host}`, { code, host })
  const mayStop = () => found.size > 0 && !isThorough
  const secrets = [line.username, line.password()]
  /** Checks one address, and returns whether it may be called to learn more. */
  const checkAddress = (url: URL): boolean => {
    if (url.protocol !== 'https:') add('not_https', url.host)
    else if (!hosts.includes(url.host)) add('host', url.host)
    if (url.username !== '' || url.password !== '' || containsSecret(url.href, secrets)) add('credentials', url.host)
    return url.protocol === 'https:' || url.protocol === 'http:'
  }
  const checkPlaylist = ({ url, bytes, allowedOrigin }: PlaylistSource) => {
    const text = new TextDecoder().decode(bytes)
    const addresses = readAddresses(text, url)
    checkAddress(url)
    if (!allows(allowedOrigin, origin)) add('playlist_cors', url.host)
    if (containsSecret(text, secrets)) add('credentials', url.host)
    if (addresses.hasVariables || addresses.others.includes(null)) add('playlist', null)
    for (const other of addresses.others) if (other) checkAddress(other)
    for (const next of [...addresses.playlists, ...addresses.media]) checkAddress(next)
    return addresses
  }

  const first = checkPlaylist(playlist)
  if (first.playlists.length > maxPlaylists) add('playlist', null)
  if (mayStop()) return [...found.values()]
  const variants = await Promise.all(
    first.playlists.slice(0, maxPlaylists).map(async (url) => {
      try {
        const source = await openSource({ url, isFirst: false, origin, signal: call.signal }, call.rules)
        if (source.kind === 'playlist') return checkPlaylist(source)
        source.close()
        add('playlist', null)
      } catch (error) {
        add(failureCode(error), url.host)
      }
      return undefined
    }),
  )
  if (mayStop()) return [...found.values()]
  const all = [first, ...variants.filter((variant) => variant !== undefined)]
  // The last address on each host, because earlier segments may be deleted soon.
  const perHost = new Map(all.flatMap(({ media }) => media.map((url) => [url.host, url])))
  if (perHost.size > maxHosts) add('playlist', null)
  const hasRanges = all.some((each) => each.hasRanges)
  await Promise.all(
    [...perHost.values()].slice(0, maxHosts).map(async (url) => {
      for (const code of await answerOf(url, hasRanges, call)) add(code, url.host)
    }),
  )
  return [...found.values()]
}

/** Whether a page of this site may read a response with this `Access-Control-Allow-Origin` header. */
const allows = (header: string | undefined, origin: string): boolean => header === '*' || header === origin
const allowedOriginOf = (headers: IncomingHttpHeaders) => headers['access-control-allow-origin']

/** Recent results for hosts, in this process. */
const known = new Map<string, { codes: DirectProblemCode[]; until: number }>()
const maxKnown = 500

/** Returns why pages cannot load media from a host; empty if they can. */
async function answerOf(url: URL, hasRanges: boolean, call: Call): Promise<DirectProblemCode[]> {
  const key = `${call.origin} ${url.host} ${hasRanges}`
  const last = known.get(key)
  if (last && last.until > Date.now() && !call.isThorough) return last.codes
  const codes = await askHost(url, hasRanges, call).catch((error: unknown) => [failureCode(error)])
  // The caller ran out of time, which says nothing about the host.
  if (codes.length > 0 && call.signal.aborted) return codes
  if (known.size >= maxKnown) known.clear()
  known.set(key, { codes, until: Date.now() + limits.relay.direct.checkedMs })
  return codes
}

async function askHost(url: URL, hasRanges: boolean, { rules, origin, signal }: Call): Promise<DirectProblemCode[]> {
  const firstByteMs = limits.relay.direct.checkMs
  const response = await openStream({ url, headers: { origin }, firstByteMs, signal }, rules)
  response.close()
  if (response.status !== 200 && response.status !== 206) return ['unreadable']
  // The target of the redirect was not in the playlist, so it could not be checked.
  if (response.url.href !== url.href) return ['redirect']
  if (!allows(allowedOriginOf(response.headers), origin)) return ['segment_cors']
  if (!hasRanges) return []
  const asks = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' }
  const preflight = await openStream({ url, method: 'OPTIONS', headers: asks, firstByteMs, signal }, rules)
  preflight.close()
  const permitted = (preflight.headers['access-control-allow-headers'] ?? '').toLowerCase().split(/\s*,\s*/)
  const isOk = preflight.status >= 200 && preflight.status < 300 && allows(allowedOriginOf(preflight.headers), origin)
  return isOk && (permitted.includes('range') || permitted.includes('*')) ? [] : ['range_cors']
}

/** Returns the problem that a failed call indicates. Rethrows errors that are not failures of a call. */
function failureCode(error: unknown): DirectProblemCode {
  if (error instanceof StreamFailure) return hostile.has(error.detail) ? 'forbidden' : 'unreadable'
  if (error instanceof OutboundFailure) return hostile.has(error.code) ? 'forbidden' : 'unreadable'
  throw error
}
