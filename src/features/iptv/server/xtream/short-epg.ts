import type { PanelConfig } from '#server/config.ts'
import { limits } from '#server/limits.ts'
import { JsonRows } from '#server/outbound/json-rows.ts'
import { Outbound, OutboundFailure } from '#server/outbound/outbound.ts'
import type { Verdict } from '../../rules.ts'
import { decodeText, type EpgEncoding, encodingOf } from './epg-text.ts'
import { asNumber, asText } from './json-fields.ts'
import { verdictOf } from './login-answer.ts'

/** A program of the panel's listings. The texts are untrusted and may have any length; times are Unix seconds. */
export type EpgProgram = { title: string; description: string; startsAt: number; endsAt: number }
export type ShortEpg = { programs: EpgProgram[] } | { failure: Verdict }
type Credentials = { username: string; password: string }

const { callMs, bodyBytes, rows: maxRows } = limits.panelListings
/** The encodings of panels' earlier responses, by the panel's URL. */
const encodings = new Map<string, EpgEncoding>()
const maxEncodings = 100
const listStart = /"epg_listings"\s*:\s*(?=[[{])/
/** What panels send for a channel without listings. */
const emptyBody = /^\s*(\[\s*\]|\{\s*\}|null|false)?\s*$|"epg_listings"\s*:\s*(null|false|"")/

/**
 * Reads the current and the next programs of a channel from the panel. Of a longer response, only the first `maxRows` programs, or those within `bodyBytes`,
 * are read, because many panels ignore the requested `limit`. Does not throw if the panel fails.
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
    if (answer.status >= 300 || (!answer.isList && !emptyBody.test(answer.body)))
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
  return { programs: decodePrograms(new URL(url).href, found) }
}

/** Adds the programs of a response to `found` while the response arrives. Returns as `body` the text before the list, or the whole text if there is no list. */
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
      const start = listStart.exec(body)
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

/**
 * Parses a program; undefined without a valid start and end. Only the timestamps are used: the date strings are in the panel's time zone, and some panels put
 * them into other fields.
 */
function parseProgram(row: Record<string, unknown>): EpgProgram | undefined {
  const startsAt = asNumber(row.start_timestamp)
  const endsAt = asNumber(row.stop_timestamp)
  if (startsAt === null || endsAt === null || startsAt <= 0 || endsAt <= startsAt) return undefined
  return { title: asText(row.title), description: asText(row.description), startsAt, endsAt }
}

function decodePrograms(panel: string, found: EpgProgram[]): EpgProgram[] {
  const texts = found.flatMap(({ title, description }) => [title, description])
  const { encoding, isSure } = encodingOf(texts, encodings.get(panel))
  if (isSure) {
    if (encodings.size >= maxEncodings) encodings.clear()
    encodings.set(panel, encoding)
  }
  return found.map(({ title, description, ...times }) => ({
    title: decodeText(encoding, title),
    description: decodeText(encoding, description),
    ...times,
  }))
}

/** The failure for a login response that came instead of a list. If it accepts the login, the response is a bad one. */
const asFailure = (verdict: Verdict): Verdict => (verdict.outcome === 'ok' ? { outcome: 'bad_response' } : verdict)
