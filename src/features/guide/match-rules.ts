// Rules that match channels of the lineup to channels of XMLTV files.

export const matchKinds = ['id', 'name', 'hand'] as const

/** Returns an XMLTV id in the form in which ids are compared: in lower case, without spaces. */
export const idKey = (id: string): string => id.replaceAll(/\s+/g, '').toLowerCase()

const quality = /\b(?:s|h|fh|qh|uh)d\b|\b[48]k\b|\bhevc\b|\bh\.?26[45]\b|\b(?:720|1080|2160)[pi]?\b|\braw\b/g
const country = '[a-z]{2}|usa|gbr|can|aus|ger|deu|fra|ita|esp|lat|latam'
const prefixes = [new RegExp(`^\\s*[[({|]\\s*(?:${country})\\s*[\\])}|]`), new RegExp(`^\\s*(?:${country})\\s*[:|]`)]

/**
 * Returns a channel's name in the form in which names are compared: without country prefix, quality, accents and punctuation. `UK: Sky Cinéma HD`
 * becomes `skycinema`. Empty if nothing is left.
 */
export function nameKey(name: string): string {
  // NFKD turns superscript letters into plain letters and splits accents from their letters.
  let key = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  for (const prefix of prefixes) key = key.replace(prefix, ' ')
  return key
    .replaceAll(quality, ' ')
    .replaceAll('+', ' plus ')
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

export type LineupChannel = {
  channelId: number
  name: string
  /** The EPG id from the panel; empty if the panel has none. */
  epgId: string
  /** The current match of the channel. `isHere`: the match is to a channel of the source that is being matched. */
  matched: (typeof matchKinds)[number] | null
  guideChannelId: number | null
  isHere: boolean
}
export type GuideChannel = { id: number; xmltvId: string; name: string }
export type NewMatch = { channelId: number; guideChannelId: number; matched: 'id' | 'name' }

/** Maps each key to its item, or to undefined if several items share the key. */
function uniqueBy<T extends GuideChannel>(items: readonly T[], keyOf: (item: T) => string): Map<string, T | undefined> {
  const found = new Map<string, T | undefined>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== '') found.set(key, found.has(key) ? undefined : item)
  }
  return found
}

/**
 * Returns the new and changed matches of a source. A channel is matched by the panel's EPG id: exactly, or else without case and spaces. A channel
 * without a match is matched by name if exactly one channel of the source has the same `nameKey`. Matches by hand never change, nor do matches by id
 * with another source.
 */
export function newMatches(lineup: readonly LineupChannel[], channels: readonly GuideChannel[]): NewMatch[] {
  const exact = new Map(channels.map((channel) => [channel.xmltvId, channel]))
  const byId = uniqueBy(channels, ({ xmltvId }) => idKey(xmltvId))
  const byName = uniqueBy(channels, ({ name }) => nameKey(name))
  return lineup.flatMap<NewMatch>(({ channelId, name, epgId, matched, guideChannelId, isHere }) => {
    if (matched === 'hand') return []
    const named = epgId === '' ? undefined : (exact.get(epgId) ?? byId.get(idKey(epgId)))
    if (named)
      return matched === 'id' && (!isHere || guideChannelId === named.id)
        ? []
        : [{ channelId, guideChannelId: named.id, matched: 'id' }]
    const equal = matched === null ? byName.get(nameKey(name)) : undefined
    return equal ? [{ channelId, guideChannelId: equal.id, matched: 'name' }] : []
  })
}

const words = (name: string): string[] => [
  ...new Set(
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(quality, ' ')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  ),
]

/** Returns a function that lists at most `max` channels whose names share words with a name, the most similar first. Rare words count more. */
export function suggestionsFrom<T extends { name: string; xmltvId: string }>(
  channels: readonly T[],
): (name: string, max: number) => T[] {
  const byWord = new Map<string, T[]>()
  const count = new Map<T, number>()
  for (const channel of channels) {
    const own = words(`${channel.name} ${channel.xmltvId.replace(/\.[a-z]{2}$/i, '')}`)
    count.set(channel, own.length)
    for (const word of own) byWord.set(word, [...(byWord.get(word) ?? []), channel])
  }
  const weight = (word: string) => Math.log(1 + channels.length / (byWord.get(word)?.length ?? 1))
  return (name, max) => {
    const wanted = words(name)
    const scores = new Map<T, number>()
    for (const word of wanted)
      for (const channel of byWord.get(word) ?? []) scores.set(channel, (scores.get(channel) ?? 0) + weight(word))
    const total = wanted.reduce((sum, word) => sum + weight(word), 0)
    return [...scores]
      .map(([channel, score]) => ({ channel, score: score / total - 0.02 * (count.get(channel) ?? 0) }))
      .filter(({ score }) => score > 0.3)
      .toSorted((a, b) => b.score - a.score || a.channel.name.localeCompare(b.channel.name))
      .slice(0, max)
      .map(({ channel }) => channel)
  }
}
