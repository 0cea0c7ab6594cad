import { asRows, isRecord } from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import { PanelError } from './errors.ts'
import type { PanelSession } from './http.ts'
import type { PanelLine } from './port.ts'
import { parseLine } from './rows.ts'
import { xuiData } from './xui-response.ts'

const pageRows = 1_000
/** Builds a call to one of the XUI APIs. */
export type XuiCall = (
  action: string,
  fields?: [string, string][],
) => { method: 'POST'; file: string; form: [string, string][] }

/**
 * Lists all lines. Reads page by page until a page contains no new line, because some panels return fewer rows than requested and some ignore the offset. With
 * `search`, panels may or may not filter the lines, so the caller has to filter them.
 */
export async function listXuiLines(session: PanelSession, call: XuiCall, search?: string): Promise<PanelLine[]> {
  const found = new Map<string, PanelLine>()
  for (let more = true; more; ) {
    const fields: [string, string][] = [
      ['start', String(found.size)],
      ['limit', String(pageRows)],
    ]
    if (search) fields.push(['search[value]', search])
    const rows = asRows(
      xuiData(await session.query({ ...call('get_lines', fields), bodyBytes: limits.panel.listBytes })),
    )
    if (!rows) throw new PanelError('unreadable', 'The panel sent a list that cannot be read.')
    const before = found.size
    for (const row of rows) {
      const line = isRecord(row) ? parseLine(row) : undefined
      if (line?.lineRef && line.username) found.set(line.lineRef, line)
    }
    more = found.size > before
    if (found.size > limits.panel.maxLines)
      throw new PanelError('unreadable', `The panel has more than ${limits.panel.maxLines} lines.`)
  }
  return [...found.values()]
}

/** Finds the line with these credentials; null if there is none. */
export async function findXuiLine(
  session: PanelSession,
  call: XuiCall,
  username: string | undefined,
  password: string | undefined,
): Promise<PanelLine | null> {
  if (!username) return null
  const lines = await listXuiLines(session, call, username)
  return (
    lines.find(
      (line) =>
        line.username === username && (password === undefined || line.password === null || line.password === password),
    ) ?? null
  )
}
