import { withoutControlCharacters } from '#kit/text.ts'

export type ProgramTexts = {
  title: string
  subtitle: string
  description: string
  category: string
  season: number | null
  episode: number | null
  isNew: boolean
}

const ascii = /^[\x20-\x7e]*$/

/** Untrusted text on one line, without control and bidi characters, cut to `max` characters. */
export function oneLine(text: string | undefined, max: number): string {
  if (!text) return ''
  const line = ascii.test(text) ? text : withoutControlCharacters(text.replaceAll(/\s+/g, ' ')).normalize('NFC')
  const trimmed = line.trim()
  if (trimmed.length <= max) return trimmed
  // Removes half of a surrogate pair at the end.
  return trimmed
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()
}

/** The texts of a program. `fields` has the text of each element by its name. Undefined without a title. */
export function programTexts(fields: Record<string, string>): ProgramTexts | undefined {
  const title = oneLine(fields.title, 200)
  if (title === '') return undefined
  return {
    title,
    subtitle: oneLine(fields['sub-title'], 200),
    description: oneLine(fields.desc, 2_000),
    category: oneLine(fields.category, 100),
    ...episodeOf(fields),
    isNew: fields.new !== undefined || fields.premiere !== undefined,
  }
}

const none = { season: null, episode: null }

/** Season and episode, counted from 1. `xmltv_ns` counts from 0 (`0.4.0/1` is season 1, episode 5); `onscreen` looks like `S01E05`. */
function episodeOf(fields: Record<string, string>): { season: number | null; episode: number | null } {
  const [, season, episode] = /^\s*(\d*)\s*(?:\/[^.]*)?\.\s*(\d*)/.exec(fields['episode-num xmltv_ns'] ?? '') ?? []
  if (season !== undefined && episode !== undefined && season + episode !== '')
    return { season: numberFrom(season, 1), episode: numberFrom(episode, 1) }
  const onScreen = fields['episode-num onscreen'] ?? fields['episode-num ']
  const [, shownSeason = '', shownEpisode = ''] = /^\s*S(\d{1,4})\s*E(\d{1,4})/i.exec(onScreen ?? '') ?? []
  return shownEpisode === '' ? none : { season: numberFrom(shownSeason, 0), episode: numberFrom(shownEpisode, 0) }
}

/** The number plus `offset`; null without digits, or if it does not fit a `smallint`. */
const numberFrom = (digits: string, offset: number): number | null =>
  digits === '' || Number(digits) + offset > 32_767 ? null : Number(digits) + offset
