import type { PanelConfig } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { JsonRows } from '#server/outbound/json-rows.ts'
import { Outbound, OutboundFailure } from '#server/outbound/outbound.ts'
import type { Verdict } from '../../rules.ts'
import { codingOf, type EpgCoding, textIn } from './epg-text.ts'
import { asNumber, asText } from './json-fields.ts'
import { verdictOf } from './login-answer.ts'

/** A program of the panel's listings. The texts are untrusted and may have any length; times are seconds since 1970. */
export type EpgProgram = { title: string; description: string; startsAt: number; endsAt: number }
export type ShortEpg = { programs: EpgProgram[] } | { failure: Verdict }
type Credentials = { username: string; password: string }

const { callMs, bodyBytes, rows: maxRows } = limits.panelListings
/** How panels sent earlier answers, by address. */
const codings = new Map<string, EpgCoding>()
const maxCodings = 100
const listings = /"epg_listings"\s*:\s*(?=[[{])/
/** What panels send for a channel without listings. */
const empty = /^\s*(\[\s*\]|\{\s*\}|null|false)?\s*$|"epg_listings"\s*:\s*(null|false|"")/

/**
 * Asks for what is on now and next on a channel. Only part of a longer answer is read, because many panels ignore the number of programs that they
 * are asked for. Does not throw if the panel fails.
 */
export async function readShortEpg(panel: PanelConfig, credentials: Credentials, streamId: string): Promise<ShortEpg> {
  const { url, allowPrivate, userAgent, neverExpires } = panel
  const outbound = new Outbound({ base: url, allowPrivate, userAgent, totalMs: callMs })
  const query = { ...credentials, action: 'get_short_epg', stream_id: streamId, limit: '8' }
  const found: EpgProgram[] = []
  try {
    const answer = await outbound.read({ file: 'player_api.php', query, bodyBytes }, async (status, chunks) => ({
      status,
      ...(await readRows(chunks, found)),
    }))
    if (answer.status >= 300 || (!answer.isList && !empty.test(answer.body)))
      return { failure: asFailure(verdictOf(answer, { now: new Date().toISOString(), neverExpires })) }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    if (error.code !== 'too_large' || found.length === 0)
      return {
        failure:
          error.code === 'held'
            ? { outcome: 'held' }
            : { outcome: error.code === 'too_large' ? 'bad_response' : 'unreachable', why: error.code },
      }
  }
  return { programs: readable(new URL(url).href, found) }
}

/** Adds the rows of the list to `found` while it arrives. `body` is the text before the list. */
async function readRows(
  chunks: AsyncIterable<Buffer>,
  found: EpgProgram[],
): Promise<{ body: string; isList: boolean }> {
  const decoder = new TextDecoder()
  let body = ''
  let list: JsonRows | undefined
  let rows = 0
  for await (const bytes of chunks) {
    const text = decoder.decode(bytes, { stream: true })
    if (list) list.push(text)
    else {
      body += text
      const start = listings.exec(body)
      if (!start) continue
      list = new JsonRows({
        onRow: (row) => {
          const program = ++rows > maxRows ? undefined : parseProgram(row)
          if (program) found.push(program)
        },
      })
      list.push(body.slice(start.index + start[0].length))
    }
    if (rows >= maxRows || list.isInvalid) break
  }
  return { body, isList: list !== undefined }
}

/** Only the timestamps count: the date strings are in the zone of the panel, and some panels put them into other fields. */
function parseProgram(row: Record<string, unknown>): EpgProgram | undefined {
  const startsAt = asNumber(row.start_timestamp)
  const endsAt = asNumber(row.stop_timestamp)
  if (startsAt === null || endsAt === null || startsAt <= 0 || endsAt <= startsAt) return undefined
  return { title: asText(row.title), description: asText(row.description), startsAt, endsAt }
}

function readable(panel: string, found: EpgProgram[]): EpgProgram[] {
  const texts = found.flatMap(({ title, description }) => [title, description])
  const { coding, isSure } = codingOf(texts, codings.get(panel))
  if (isSure) {
    if (codings.size >= maxCodings) codings.clear()
    codings.set(panel, coding)
  }
  return found.map(({ title, description, ...times }) => ({
    title: textIn(coding, title),
    description: textIn(coding, description),
    ...times,
  }))
}

/** A login response instead of a list is no answer. */
const asFailure = (verdict: Verdict): Verdict => (verdict.outcome === 'ok' ? { outcome: 'bad_response' } : verdict)
