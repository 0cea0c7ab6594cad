import type { Instant } from '#kit/dates.ts'
import { isRecord, asNumber, ownField, asRows, asText, asBoolean } from './json-fields.ts'

export type Programme = {
  id: string
  title: string
  description: string
  startsAt: Instant
  endsAt: Instant
  hasArchive: boolean
}
/** `byStream` is filled where several streams were asked for at once. */
export type Guide = { programmes: Programme[]; byStream: Record<string, Programme[]> }
type Coding = 'base64' | 'plain'

/** How a provider writes its texts: what the operator says, else what its answers have shown so far. */
export class GuideTexts {
  readonly #fixed: Coding | undefined
  #shown: Coding | undefined
  constructor(setting: Coding | 'auto' = 'auto') {
    this.#fixed = setting === 'auto' ? undefined : setting
  }

  /**
   * The coding of one answer, decided over all of its texts: "Kids" alone could be either. What is surely plain (or surely not) is
   * remembered for the answers that could be both.
   */
  of(texts: readonly string[]): Coding {
    if (this.#fixed) return this.#fixed
    const said = texts.filter((text) => text !== '')
    const canBeBase64 = said.length > 0 && said.every((text) => decoded(text) !== undefined)
    const isSure = canBeBase64 ? said.length > 2 && said.join('').length >= 24 : said.some((text) => /\s/.test(text))
    if (isSure) this.#shown = canBeBase64 ? 'base64' : 'plain'
    return canBeBase64 ? (this.#shown ?? 'base64') : 'plain'
  }
}

/** The text behind a text that is base64 of UTF-8 to the letter, else undefined. */
function decoded(text: string): string | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The programmes of a short guide or a data table; undefined for what is neither. Nothing, `[]`, `{}` and no rows are an empty guide. */
export function guideIn(json: unknown, texts: GuideTexts): Guide | undefined {
  const isEmpty = (Array.isArray(json) && json.length === 0) || (isRecord(json) && Object.keys(json).length === 0)
  const listings = isEmpty
    ? []
    : isRecord(json) && Object.hasOwn(json, 'epg_listings')
      ? (json.epg_listings ?? [])
      : undefined
  if (listings === undefined) return undefined
  if (isRecord(listings) && Object.values(listings).some(Array.isArray)) {
    const all = Object.entries(listings).map(([stream, rows]) => [stream, asRows(rows) ?? []] as const)
    const coding = texts.of(all.flatMap(([, rows]) => rows.flatMap(textsOf)))
    return {
      programmes: [],
      byStream: Object.fromEntries(all.map(([stream, rows]) => [stream, programmesIn(rows, coding)])),
    }
  }
  const rows = asRows(listings)
  return rows && { programmes: programmesIn(rows, texts.of(rows.flatMap(textsOf))), byStream: {} }
}

const textsOf = (row: unknown): string[] => [asText(ownField(row, 'title')), asText(ownField(row, 'description'))]

/** Times come from the timestamps alone: the dates beside them are in the panel's own zone, or are something else. */
function programmesIn(rows: unknown[], coding: Coding): Programme[] {
  const shown = (value: unknown) => (coding === 'base64' ? (decoded(asText(value)) ?? asText(value)) : asText(value))
  return rows.flatMap((row) => {
    const [start, stop] = [asNumber(ownField(row, 'start_timestamp')), asNumber(ownField(row, 'stop_timestamp'))]
    if (start === null || stop === null || start <= 0 || stop <= start || stop > 8_640_000_000_000) return []
    return [
      {
        id: asText(ownField(row, 'id')),
        title: shown(ownField(row, 'title')),
        description: shown(ownField(row, 'description')),
        startsAt: new Date(start * 1000).toISOString(),
        endsAt: new Date(stop * 1000).toISOString(),
        hasArchive: asBoolean(ownField(row, 'has_archive')) === true,
      },
    ]
  })
}
