/** The addresses that a player would load from a playlist: other playlists, and what is media or a key. */
type PlaylistAddresses = {
  playlists: URL[]
  media: URL[]
  /** Addresses that are none, or that a comment or a title contains. */
  others: (URL | null)[]
  hasRanges: boolean
  /** The player would compute addresses from variables. */
  hasVariables: boolean
}

/** Reads all addresses of a playlist at `base`. Unlike the relay it also looks at tags that it does not know, because the player gets the playlist unchanged. */
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
