import { eq } from 'drizzle-orm'
import { ownField, parsePanelJson } from '#features/iptv/server/xtream/json-fields.ts'
import type { Db } from '#server/db/connect.ts'
import { streamPanels } from '#server/db/tables.ts'
import { Outbound, OutboundFailure } from '#server/outbound/outbound.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import {
  type ArchiveForm,
  archiveParts,
  archiveRange,
  formsToTry,
  type PanelClock,
  panelClock,
  panelTime,
} from '../../../archive-rules.ts'
import { type LineToWatch, panelAddress } from '../../plays/line-to-watch.ts'
import { openSource, type Source, type SourceCall } from '../open-source.ts'
import { StreamFailure } from '../upstream-reason.ts'
import { isMissing } from './open-live.ts'
import { storePanel } from './stream-panel.ts'

/**
 * `startsAt`: when the first picture of the source was broadcast, in milliseconds. `skipMs`: how much of the source comes before the requested time. `isSure`:
 * false if `startsAt` may be an hour off.
 */
export type OpenedArchive = { source: Source; startsAt: number; skipMs: number; isSure: boolean }
type Wanted = { stream: string; at: number; to: number }
type Panel = PanelClock & { archiveForm: ArchiveForm | null }
const clockKeptMs = 24 * 60 * 60_000

/**
 * Opens the recording of a channel from `at` until after `to`, both in milliseconds. Tries the address forms in their order, and stores which one worked on the
 * panel. Throws StreamFailure, with `archive_missing` if no form returns a recording.
 */
export async function openArchive(
  db: Db,
  line: LineToWatch,
  { stream, at, to }: Wanted,
  rules: StreamRules,
  call: Pick<SourceCall, 'wasBusy' | 'origin' | 'signal'>,
): Promise<OpenedArchive> {
  const now = Date.now()
  const panel = await readPanel(db, line, rules, now)
  const range = archiveRange(at, to)
  const { wall, isSure } = panelTime(range.startsAt, panel, now)
  const credentials = { username: line.username, password: line.password(), stream }
  for (const form of formsToTry(panel.archiveForm, isSure)) {
    const { path, query } = archiveParts(form, credentials, { ...range, wall })
    const url = panelAddress(line, path)
    url.search = new URLSearchParams(query).toString()
    try {
      const source = await openSource({ ...call, url, isFirst: true }, rules)
      if (form !== panel.archiveForm && isSure) await storePanel(db, line, { archiveForm: form })
      return { source, startsAt: range.startsAt, skipMs: range.skipMs, isSure: isSure || form === 'utc' }
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  throw new StreamFailure('archive_missing', 'no form of the address')
}

/** Returns what is known about the panel of a line. Its clock is read once a day, with the login call of the player API. */
async function readPanel(
  db: Db,
  line: LineToWatch,
  { allowPrivate, userAgent }: StreamRules,
  now: number,
): Promise<Panel> {
  const [known] = await db.select().from(streamPanels).where(eq(streamPanels.host, line.base.host))
  const archiveForm = known?.archiveForm ?? null
  if (known?.clockReadAt && now - Date.parse(known.clockReadAt) < clockKeptMs)
    return { zone: known.zone, offsetMinutes: known.offsetMinutes, archiveForm }
  try {
    const outbound = new Outbound({ base: line.base.href, allowPrivate, userAgent })
    const { body } = await outbound.get('player_api.php', { username: line.username, password: line.password() })
    const info = ownField(parsePanelJson(body), 'server_info')
    const clock = panelClock(typeof info === 'object' && info !== null ? (info as Record<string, unknown>) : {}, now)
    await storePanel(db, line, { ...clock, clockReadAt: new Date(now).toISOString() })
    return { ...clock, archiveForm }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    // The login failed, but the panel may still send the recording.
    return { zone: known?.zone ?? null, offsetMinutes: null, archiveForm }
  }
}
