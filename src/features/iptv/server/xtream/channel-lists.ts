import { shownLine } from '#kit/text.ts'
import { firstField, asNumber, ownField, asRows, asText, asBoolean } from './json-fields.ts'

export type PlayerCategory = { id: string; name: string }
export type PlayerStream = {
  streamId: string
  name: string
  kind: 'live' | 'radio'
  /** Somebody else's picture, at an address of somebody else's. */
  icon: string | null
  epgChannelId: string | null
  categoryIds: string[]
  /** How far back it can be watched; 0: not at all. */
  archiveDays: number
}

/** Names are strangers' text: one line, nothing that disguises, no longer than a name. */
const nameOf = (value: unknown): string => shownLine(asText(value).replaceAll(/\s+/g, ' ')).trim().slice(0, 120)

/** The category of a row, undefined where it has no id. Ids are text, whatever they were. */
export function categoryIn(row: Record<string, unknown>): PlayerCategory | undefined {
  const id = asText(row.category_id)
  return id === '' || id.length > 64 ? undefined : { id, name: nameOf(row.category_name) }
}

/** The live stream of a row, undefined where it has no number; an empty name stays empty. */
export function streamIn(row: Record<string, unknown>): PlayerStream | undefined {
  const streamId = asText(row.stream_id)
  if (streamId === '') return undefined
  const isRadio = /radio/i.test(asText(row.stream_type)) || asBoolean(row.is_radio) === true
  const categoryIds = [asText(firstField(row, 'category_id')), ...(asRows(ownField(row, 'category_ids')) ?? []).map(asText)]
  const days = asNumber(row.tv_archive_duration)
  return {
    streamId,
    name: nameOf(row.name),
    kind: isRadio ? 'radio' : 'live',
    icon: asText(row.stream_icon) || null,
    epgChannelId: asText(row.epg_channel_id) || null,
    categoryIds: [...new Set(categoryIds.filter((id) => id !== '' && id !== '0'))],
    // Some say that there is an archive and not how long.
    archiveDays: asBoolean(row.tv_archive) ? Math.max(1, Math.floor(days ?? 1)) : 0,
  }
}
