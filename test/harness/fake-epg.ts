import { offsetsOf } from '#features/guide/time-rules.ts'
import { json, type Mode } from './panel-modes.ts'

export type EpgEntry = { title: string; description?: string; startsAt: number; minutes: number }
export type FakeEpg = {
  /** What is on, by stream id. */
  programs: Record<string, EpgEntry[]>
  /** Answers instead, by stream id. */
  modes: Record<string, Mode>
  /** Many panels send all rows, whatever number they are asked for. */
  ignoresLimit: boolean
  /** How many calls are being answered, and the most at the same time so far. */
  running: number
  most: number
  /** How long an answer takes, in milliseconds. */
  delayMs: number
  answer: (query: URLSearchParams) => Mode
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The guide of a panel in the time zone `zone`, as `get_short_epg` answers it: texts in base64, and timestamps beside date strings in the panel's zone. */
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
