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

/** Untrusted text as one line: no control or direction characters, at most `most` characters. */
export function oneLine(text: string | undefined, most: number): string {
  if (!text) return ''
  const line = ascii.test(text) ? text : withoutControlCharacters(text.replaceAll(/\s+/g, ' ')).normalize('NFC')
  const trimmed = line.trim()
  if (trimmed.length <= most) return trimmed
  // Not between the two halves of a character.
  return trimmed
    .slice(0, most)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()
}

/** The texts of a program by the names of its elements; undefined without a title. */
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

/** Season and episode, from 1: `xmltv_ns` counts from 0 (`0.4.0/1` is season 1, episode 5), `onscreen` is like `S01E05`. */
function episodeOf(fields: Record<string, string>): { season: number | null; episode: number | null } {
  const [, season, episode] = /^\s*(\d*)\s*(?:\/[^.]*)?\.\s*(\d*)/.exec(fields['episode-num xmltv_ns'] ?? '') ?? []
  if (season !== undefined && episode !== undefined && season + episode !== '')
    return { season: counted(season, 1), episode: counted(episode, 1) }
  const onScreen = fields['episode-num onscreen'] ?? fields['episode-num ']
  const [, shownSeason = '', shownEpisode = ''] = /^\s*S(\d{1,4})\s*E(\d{1,4})/i.exec(onScreen ?? '') ?? []
  return shownEpisode === '' ? none : { season: counted(shownSeason, 0), episode: counted(shownEpisode, 0) }
}

const counted = (digits: string, plus: number): number | null =>
  digits === '' || Number(digits) + plus > 32_767 ? null : Number(digits) + plus
