import { withoutControlCharacters } from '#kit/text.ts'
import { asBoolean, asNumber, asRows, asText, firstField, ownField } from './json-fields.ts'

export type PlayerCategory = { id: string; name: string }
export type PlayerStream = {
  streamId: string
  name: string
  kind: 'live' | 'radio'
  /** The URL of a picture on another server. */
  icon: string | null
  epgChannelId: string | null
  categoryIds: string[]
  /** The number of past days whose programs can be watched; 0 for none. */
  archiveDays: number
  /** The channel number on the panel; null if there is none. */
  number: number | null
}

/** Names are untrusted text: reduced to one line of at most 120 characters without control or bidirectional characters. */
const displayName = (value: unknown): string =>
  withoutControlCharacters(asText(value).replaceAll(/\s+/g, ' ')).trim().slice(0, 120)

/** Parses a category; undefined for a row without an id. Ids become text. */
export function parseCategory(row: Record<string, unknown>): PlayerCategory | undefined {
  const id = asText(row.category_id)
  return id === '' || id.length > 64 ? undefined : { id, name: displayName(row.category_name) }
}

/** Parses a live or radio stream; undefined for a row without an id. An empty name stays empty. */
export function parseStream(row: Record<string, unknown>): PlayerStream | undefined {
  const streamId = asText(row.stream_id)
  if (streamId === '') return undefined
  const isRadio = /radio/i.test(asText(row.stream_type)) || asBoolean(row.is_radio) === true
  const categoryIds = [
    asText(firstField(row, 'category_id')),
    ...(asRows(ownField(row, 'category_ids')) ?? []).map(asText),
  ]
  const days = asNumber(row.tv_archive_duration)
  return {
    streamId,
    name: displayName(row.name),
    kind: isRadio ? 'radio' : 'live',
    icon: asText(row.stream_icon) || null,
    epgChannelId: asText(row.epg_channel_id) || null,
    categoryIds: [...new Set(categoryIds.filter((id) => id !== '' && id !== '0'))],
    number: channelNumber(asNumber(row.num)),
    // Some panels report an archive but not its length.
    archiveDays: asBoolean(row.tv_archive) ? Math.max(1, Math.floor(days ?? 1)) : 0,
  }
}

const channelNumber = (number: number | null): number | null =>
  number !== null && Number.isInteger(number) && number >= 1 && number <= 99_999 ? number : null
