import type { ContentType } from './contract.ts'

/** Words that describe the quality or transmission of a channel, and do not identify it. */
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
 * Returns the part of a name that is the same for all spellings: the letters and digits in lower case, without accents, punctuation, spaces, a
 * country code before `:` or `|`, and words about the quality. Number words become digits. A name that consists only of quality words keeps them; a
 * name without letters and digits is returned in lower case.
 */
export function spellingKey(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(marks, '').toLowerCase().replaceAll('&', ' and ').trim()
  const words = plain
    .replace(/^\W*[a-z]{2,3}\s*[:|]\s*/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    // Letters and digits are separate words, so that `sports2` is the same as `sports 2`.
    .flatMap((word) => (quality.has(word) ? [word] : word.split(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)))
  const telling = words.filter((word) => !quality.has(word))
  const key = (telling.length > 0 ? telling : words).map((word) => numbers[word] ?? word).join('')
  return key || plain
}

/** Returns the case key of a report from its content name, before it is matched with a channel of the catalog. */
export const contentKey = (contentType: ContentType, contentName: string): string =>
  contentType === 'channel' ? spellingKey(contentName) : `title ${spellingKey(contentName)}`

const digitsOf = (key: string): string => key.replaceAll(/\P{N}/gu, '')
/** Returns how many letters may differ: none in short names, where a different letter means a different channel. */
const differencesIn = (key: string): number => (key.length >= 10 ? 2 : key.length >= 6 ? 1 : 0)

/**
 * Returns the channel key of which `key` is a misspelling: the digits are the same, one or two letters differ, and no other channel is as similar.
 * Undefined if there is no such channel.
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

/** Returns the number of letters to add, remove or replace to turn `a` into `b`; `max + 1` if there are more than `max`. */
function distanceUpTo(a: string, b: string, max: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    if (Math.min(...next) > max) return max + 1
    row = next
  }
  return row[b.length]!
}

const burstMs = 2 * 3_600_000
/** With at least this many reports within two hours, a case has a shorter promised time. */
const burstSize = 5
/** Returns the time of the first of five reports within two hours; null without such a burst. `times` must be sorted. */
export function burstSince(times: readonly string[]): string | null {
  const at = times.findIndex((since, index) => {
    const last = times[index + burstSize - 1]
    return last !== undefined && Date.parse(last) - Date.parse(since) <= burstMs
  })
  return at < 0 ? null : times[at]!
}
