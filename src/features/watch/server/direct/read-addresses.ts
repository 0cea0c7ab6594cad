/** The addresses in a playlist. A player would load `playlists`, and `media`, which includes keys. */
type PlaylistAddresses = {
  playlists: URL[]
  media: URL[]
  /** Addresses in other attributes, comments and titles. Null for an address that cannot be parsed. */
  others: (URL | null)[]
  hasRanges: boolean
  /** Whether the playlist has variables, from which the player would compute addresses. */
  hasVariables: boolean
}

/** Returns all addresses in a playlist at `base`. Unlike the relay, it also reads unknown tags, because the player gets the playlist unchanged. */
export function readAddresses(text: string, base: URL): PlaylistAddresses {
  const lines = text.split(/\r\n|\n|\r/).map((line) => line.trim())
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF'))
  const resolved = (address: string) => URL.parse(address, base.href)
  const playlists: URL[] = []
  const media: URL[] = []
  const others: (URL | null)[] = []
  for (const line of lines) {
    if (line === '') continue
    if (!line.startsWith('#')) {
      const url = resolved(line)
      if (url) (isMaster ? playlists : media).push(url)
      else others.push(null)
      continue
    }
    const isPlaylist = /^#EXT-X-(MEDIA|I-FRAME-STREAM-INF|RENDITION-REPORT)\b/.test(line)
    for (const [, name, address] of line.matchAll(/([A-Z0-9-]*UR[IL]|X-ASSET-LIST)="([^"]*)"/g)) {
      const url = resolved(address!)
      if (!url || name !== 'URI') others.push(url)
      else (isPlaylist ? playlists : media).push(url)
    }
    for (const [address] of line.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"',]+/gi)) others.push(URL.parse(address))
  }
  return {
    playlists,
    media,
    others,
    hasRanges: /^#EXT-X-(BYTERANGE|MAP:.*BYTERANGE|PART:.*BYTERANGE)/m.test(text),
    hasVariables: text.includes('#EXT-X-DEFINE'),
  }
}
