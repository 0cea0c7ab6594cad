import { withoutControlCharacters } from '#kit/text.ts'
import { featureBits } from '../../feature-rules.ts'

export type ProgramTexts = {
  title: string
  subtitle: string
  description: string
  category: string
  season: number | null
  episode: number | null
  isNew: boolean
  /** A sum of `featureBits`. */
  features: number
  /** Such as `TV-14`. */
  rating: string
}

const ascii = /^[\x20-\x7e]*$/

/** Returns untrusted text as one line, without control and bidi characters, cut to `max` characters. */
export function oneLine(text: string | undefined, max: number): string {
  if (!text) return ''
  const line = ascii.test(text) ? text : withoutControlCharacters(text.replaceAll(/\s+/g, ' ')).normalize('NFC')
  const trimmed = line.trim()
  if (trimmed.length <= max) return trimmed
  // The cut may have split a surrogate pair: removes the half that is left at the end.
  return trimmed
    .slice(0, max)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()
}

/** Returns the texts and other details of a program; undefined if it has no title. `fields` has the text of each XMLTV element by its name. */
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
    features: featuresOf(fields),
    rating: oneLine(fields.rating, 20),
  }
}

const sounds: [RegExp, number][] = [
  [/dolby|surround/i, featureBits.surround],
  [/bilingual/i, featureBits.bilingual],
  [/stereo/i, featureBits.stereo],
]

/** Returns the features of a program as a sum of `featureBits`. `video` and `audio` have the text of all their elements, such as `yes16:9HDTV`. */
function featuresOf({ video = '', audio = '', subtitles, signed, live }: Record<string, string>): number {
  const { uhd, hd } = featureBits
  return (
    (/uhd|4k|2160/i.test(video) ? uhd : /hd|720|1080/i.test(video) ? hd : 0) |
    (sounds.find(([pattern]) => pattern.test(audio))?.[1] ?? 0) |
    (subtitles === undefined ? 0 : featureBits.subtitles) |
    (signed === undefined ? 0 : featureBits.signLanguage) |
    (live === undefined ? 0 : featureBits.live)
  )
}

const none = { season: null, episode: null }

/** Returns season and episode, counted from 1. `xmltv_ns` counts from 0 (`0.4.0/1` is season 1, episode 5); `onscreen` looks like `S01E05`. */
function episodeOf(fields: Record<string, string>): { season: number | null; episode: number | null } {
  const [, season, episode] = /^\s*(\d*)\s*(?:\/[^.]*)?\.\s*(\d*)/.exec(fields['episode-num xmltv_ns'] ?? '') ?? []
  if (season !== undefined && episode !== undefined && season + episode !== '')
    return { season: numberFrom(season, 1), episode: numberFrom(episode, 1) }
  const onScreen = fields['episode-num onscreen'] ?? fields['episode-num ']
  const [, shownSeason = '', shownEpisode = ''] = /^\s*S(\d{1,4})\s*E(\d{1,4})/i.exec(onScreen ?? '') ?? []
  return shownEpisode === '' ? none : { season: numberFrom(shownSeason, 0), episode: numberFrom(shownEpisode, 0) }
}

/** Returns the number plus `offset`; null without digits, or if it does not fit a `smallint`. */
const numberFrom = (digits: string, offset: number): number | null =>
  digits === '' || Number(digits) + offset > 32_767 ? null : Number(digits) + offset
