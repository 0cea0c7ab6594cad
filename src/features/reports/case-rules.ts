import type { ContentType } from './contract.ts'

/** Words that say how a channel is sent, not which one it is. */
const quality = new Set(
  'hd fhd uhd qhd sd 4k 8k 1080p 1080i 720p 2160p hevc h264 h265 x264 x265 raw backup vip live stream channel tv'.split(
    ' ',
  ),
)
const numbers: Record<string, string> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
}
const marks = /\p{M}/gu

/**
 * The part of a name that is the same for all spellings: letters and digits without case, accents, punctuation, spaces, a country before `:` or `|`,
 * and words about the quality. Number words are digits. A name that has nothing else is compared as it is.
 */
export function spellingKey(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(marks, '').toLowerCase().replaceAll('&', ' and ').trim()
  const words = plain
    .replace(/^\W*[a-z]{2,3}\s*[:|]\s*/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    // A digit that follows letters is a word of its own: `sports2` and `sports 2`.
    .flatMap((word) => (quality.has(word) ? [word] : word.split(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)))
  const telling = words.filter((word) => !quality.has(word))
  const key = (telling.length > 0 ? telling : words).map((word) => numbers[word] ?? word).join('')
  return key || plain
}

/** The key of the case that a report belongs to before any channel is considered. */
export const contentKey = (contentType: ContentType, contentName: string): string =>
  contentType === 'channel' ? spellingKey(contentName) : `title ${spellingKey(contentName)}`

const digitsOf = (key: string): string => key.replaceAll(/\P{N}/gu, '')
/** How many letters may differ: none in short names, where a different letter means a different channel. */
const differencesIn = (key: string): number => (key.length >= 10 ? 2 : key.length >= 6 ? 1 : 0)

/**
 * The channel key that a key is a misspelling of: its digits are the same, one or two letters differ, and no other channel is as close. Undefined
 * without such a channel.
 */
export function closestKey(key: string, known: Iterable<string>): string | undefined {
  const allowed = differencesIn(key)
  if (allowed === 0) return undefined
  let best: { key: string; distance: number; isAlone: boolean } | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - key.length) > allowed || digitsOf(candidate) !== digitsOf(key)) continue
    const distance = distanceUpTo(key, candidate, allowed)
    if (distance > allowed) continue
    if (!best || distance < best.distance) best = { key: candidate, distance, isAlone: true }
    else if (distance === best.distance) best.isAlone = false
  }
  return best?.isAlone ? best.key : undefined
}

/** The number of letters to add, omit or replace; more than `most` if there are more. */
function distanceUpTo(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length]!
}

const burstMs = 2 * 3_600_000
/** With at least this many reports within two hours, a case has a shorter promise. */
const burstSize = 5
/** The time of the first of five reports of a case within two hours; null without such a burst. `times` are sorted. */
export function burstSince(times: readonly string[]): string | null {
  const at = times.findIndex((since, index) => {
    const last = times[index + burstSize - 1]
    return last !== undefined && Date.parse(last) - Date.parse(since) <= burstMs
  })
  return at < 0 ? null : times[at]!
}
