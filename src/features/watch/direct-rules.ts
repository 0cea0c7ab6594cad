/** The maximum number of hosts in the list for direct delivery. */
export const maxDirectHosts = 20
/** How often a page sends a heartbeat for a play whose stream it loads from the panel, in milliseconds. */
export const aliveEveryMs = 20_000

/** The limits of what a heartbeat contains: the maximum number of texts that the page loaded from the panel, and the maximum length of each, in characters. */
export const maxLoaded = { texts: 3, length: 8_000 }

/**
 * Returns a host as browsers write it, such as `edge.example` or `edge.example:8443`: in lower case, and without port 443. Undefined if the text is anything
 * else, such as a URL with a path.
 */
export function directHost(text: string): string | undefined {
  const typed = text.trim()
  const url = /[/\\?#@*\s]/.test(typed) ? null : URL.parse(`https://${typed}`)
  return url && /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(url.host) ? url.host : undefined
}

/** Why a stream cannot be loaded from the panel directly. */
export const directProblems = [
  'no_answer',
  'no_playlist',
  'not_https',
  'host',
  'credentials',
  'playlist_cors',
  'segment_cors',
  'range_cors',
  'redirect',
  'forbidden',
  'unreadable',
  'playlist',
] as const
export type DirectProblemCode = (typeof directProblems)[number]
/** `host`: where the problem was found; null if it concerns no host. `detail`: why the panel did not open the channel, in our words. */
export type DirectProblem = { code: DirectProblemCode; host: string | null; detail?: string }

/** How the stream of a play was delivered while direct delivery was on. `browser`: the page could not load it and continued through this site. */
export const directOutcomes = ['direct', 'browser', ...directProblems] as const
export type DirectOutcome = (typeof directOutcomes)[number]

/** Returns what failed, in plain words. `origin` is the origin of this site. */
export function directProblemText({ code, host, detail }: DirectProblem, origin: string): string {
  const where = host ?? 'The panel'
  switch (code) {
    case 'no_answer':
      return `The panel did not open the channel. ${detail ?? ''}`.trim()
    case 'no_playlist':
      return 'The panel sends this channel as a transport stream. Browsers cannot play it, so this site cuts it into segments.'
    case 'not_https':
      return `${where} is used without https. Pages load streams only over https.`
    case 'host':
      return `${where} is not in the list of hosts.`
    case 'credentials':
      return `An address or a playlist from ${where} contains the username or the password of the line. Viewers must not see them.`
    case 'playlist_cors':
      return `${where} does not permit pages of this site to read playlists. Its response needs the header Access-Control-Allow-Origin with * or ${origin}.`
    case 'segment_cors':
      return `${where} does not permit pages of this site to read segments. Its response needs the header Access-Control-Allow-Origin with * or ${origin}.`
    case 'range_cors':
      return `${where} does not permit the header Range, which this channel needs. Its response to OPTIONS needs Access-Control-Allow-Headers with Range.`
    case 'redirect':
      return `${where} redirects segments to another address, which cannot be checked in advance.`
    case 'forbidden':
      return `${where} leads to a private network, to this site, or to a port that is not allowed.`
    case 'unreadable':
      return `A playlist or a segment on ${where} could not be read.`
    case 'playlist':
      return 'The playlist has parts that cannot be checked: variables, more than 8 qualities, or more than 4 hosts.'
  }
}

const outcomeTexts: Record<Exclude<DirectOutcome, 'direct'>, string> = {
  browser: 'the browser could not load it',
  no_answer: 'the panel did not answer',
  no_playlist: 'transport stream',
  not_https: 'no https',
  host: 'host not in the list',
  credentials: 'credentials in an address',
  playlist_cors: 'no CORS for playlists',
  segment_cors: 'no CORS for segments',
  range_cors: 'no CORS for ranges',
  redirect: 'segments are redirected',
  forbidden: 'address not allowed',
  unreadable: 'segment not readable',
  playlist: 'playlist cannot be checked',
}
/** Returns how a play was delivered, for administrators. */
export const directOutcomeText = (outcome: DirectOutcome | null): string =>
  outcome === 'direct'
    ? 'Directly from the panel'
    : `Through this site${outcome === null ? '' : `: ${outcomeTexts[outcome]}`}`
