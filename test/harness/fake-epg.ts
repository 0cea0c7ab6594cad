import { offsetsOf } from '#features/guide/time-rules.ts'
import { json, type Mode } from './panel-modes.ts'

export type EpgEntry = { title: string; description?: string; startsAt: number; minutes: number }
export type FakeEpg = {
  /** The programs by stream id. */
  programs: Record<string, EpgEntry[]>
  /** Responses by stream id, which replace the usual ones. */
  modes: Record<string, Mode>
  /** True makes the panel ignore the `limit` of a request and send all rows, as many panels do. */
  ignoresLimit: boolean
  /** The number of calls that are being answered now, and its maximum so far. */
  running: number
  most: number
  /** The delay of each response in milliseconds. */
  delayMs: number
  answer: (query: URLSearchParams) => Mode
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/**
 * Creates a panel's guide that answers `get_short_epg`: texts are in base64, and each time is sent as a timestamp and as a date string in the time zone `zone`.
 */
export function fakeEpg(zone: string): FakeEpg {
  const dateText = (at: number) =>
    new Date(at + offsetsOf(zone)(at) * 60_000).toISOString().slice(0, 19).replace('T', ' ')
  const rowOf = (stream: string, { title, description = '', startsAt, minutes }: EpgEntry, index: number) => {
    const endsAt = startsAt + minutes * 60_000
    return {
      id: String(1_000 + index),
      epg_id: '41',
      title: base64(title),
      lang: 'en',
      start: dateText(startsAt),
      end: dateText(endsAt),
      description: base64(description),
      channel_id: `channel.${stream}`,
      start_timestamp: String(startsAt / 1_000),
      stop_timestamp: String(endsAt / 1_000),
      stream_id: stream,
    }
  }
  const epg: FakeEpg = {
    programs: {},
    modes: {},
    ignoresLimit: false,
    running: 0,
    most: 0,
    delayMs: 0,
    answer: (query) => {
      const stream = query.get('stream_id') ?? ''
      const limit = epg.ignoresLimit ? Number.POSITIVE_INFINITY : Number(query.get('limit') ?? 4)
      const entries = (epg.programs[stream] ?? []).slice(0, limit)
      const mode =
        epg.modes[stream] ?? json({ epg_listings: entries.map((entry, index) => rowOf(stream, entry, index)) })
      return (response, canary) => {
        epg.running++
        epg.most = Math.max(epg.most, epg.running)
        response.on('close', () => epg.running--)
        setTimeout(() => mode(response, canary), epg.delayMs)
      }
    },
  }
  return epg
}
