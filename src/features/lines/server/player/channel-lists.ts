import { shownLine } from '#kit/text.ts'
import { firstOf, isRecord, numberOf, own, rowsIn, textOf, yesOf } from '../panel/reading.ts'

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
const nameOf = (value: unknown): string => shownLine(textOf(value).replaceAll(/\s+/g, ' ')).trim().slice(0, 120)
const records = (json: unknown): Record<string, unknown>[] | undefined => {
  const rows = isRecord(json) && Object.keys(json).length === 0 ? [] : rowsIn(json)
  return rows?.filter(isRecord)
}

/** The categories of an answer, undefined where it is no list. Ids are text, whatever they were. */
export const categoriesIn = (json: unknown): PlayerCategory[] | undefined =>
  records(json)
    ?.map((row) => ({ id: textOf(row.category_id), name: nameOf(row.category_name) }))
    .filter(({ id }) => id !== '')

/** The live streams of an answer, undefined where it is no list; rows without a number are left out, an empty name stays empty. */
export const streamsIn = (json: unknown): PlayerStream[] | undefined => records(json)?.flatMap((row) => streamIn(row) ?? [])

function streamIn(row: Record<string, unknown>): PlayerStream | undefined {
  const streamId = textOf(row.stream_id)
  if (streamId === '') return undefined
  const isRadio = /radio/i.test(textOf(row.stream_type)) || yesOf(row.is_radio) === true
  const categoryIds = [textOf(firstOf(row, 'category_id')), ...(rowsIn(own(row, 'category_ids')) ?? []).map(textOf)]
  const days = numberOf(row.tv_archive_duration)
  return {
    streamId,
    name: nameOf(row.name),
    kind: isRadio ? 'radio' : 'live',
    icon: textOf(row.stream_icon) || null,
    epgChannelId: textOf(row.epg_channel_id) || null,
    categoryIds: [...new Set(categoryIds.filter((id) => id !== '' && id !== '0'))],
    // Some say that there is an archive and not how long.
    archiveDays: yesOf(row.tv_archive) ? Math.max(1, Math.floor(days ?? 1)) : 0,
  }
}
