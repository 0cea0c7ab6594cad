import {
  asNumber,
  asRows,
  asSingleLine,
  asText,
  firstField,
  isRecord,
} from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelAdapter } from './adapter.ts'
import { PanelError } from './errors.ts'
import type { PanelResponse, PanelSession } from './http.ts'
import type { Refusal } from './port.ts'
import { refusalError } from './refusals.ts'
import { parseLine, parsePackage } from './rows.ts'
import type { Row } from './xui-edit.ts'
import { findXuiLine, listXuiLines, type XuiCall } from './xui-lines.ts'
import { xuiData } from './xui-response.ts'

/** The record in a response. `silent` is the refusal for a failure without a reason. */
export function xuiRecord(response: PanelResponse, silent?: Refusal): Row {
  const data = xuiData(response, silent)
  if (!isRecord(data))
    throw new PanelError('unreadable', 'The panel confirmed the request, but did not return the line.')
  return data
}

/** The calls that the administrator API and the reseller API of XUI have in common. */
export function xuiBase(call: XuiCall, packagesAction: string) {
  const get = async (session: PanelSession, lineRef: string): Promise<Row | null> => {
    const response = await session.query(call('get_line', [['id', lineRef]]))
    try {
      const data = xuiData(response, 'not_found')
      return isRecord(data) && firstField(data, 'username') !== undefined ? data : null
    } catch (error) {
      if (error instanceof PanelError && error.refusal === 'not_found') return null
      throw error
    }
  }
  const requireRow = async (session: PanelSession, lineRef: string): Promise<Row> => {
    const found = await get(session, lineRef)
    if (!found) throw refusalError('not_found')
    session.addSecret(asText(found.password))
    return found
  }
  const packageRows = async (session: PanelSession) => asRows(xuiData(await session.query(call(packagesAction)))) ?? []
  const shared: Pick<PanelAdapter, 'test' | 'packages' | 'lines' | 'find'> & Required<Pick<PanelAdapter, 'enable'>> = {
    test: async (session) => {
      const account = xuiRecord(await session.query(call('user_info')), 'auth')
      return { credits: asNumber(account.credits), panel: asSingleLine(account.username) || null }
    },
    packages: async (session) =>
      (await packageRows(session)).map(parsePackage).filter(({ packageRef }) => packageRef !== ''),
    lines: (session) => listXuiLines(session, call),
    enable: async (session, lineRef, enabled) => {
      await session.change(call(enabled ? 'enable_line' : 'disable_line', [['id', lineRef]]), (response) =>
        xuiData(response, 'not_found'),
      )
      const line = parseLine(await requireRow(session, lineRef))
      if (line.enabled !== enabled)
        throw new PanelError(
          'unreadable',
          `The panel confirmed the request, but the line is ${line.enabled ? 'enabled' : 'disabled'}.`,
        )
      return line
    },
    find: async (session, { lineRef, username, password }) => {
      if (lineRef === undefined) return findXuiLine(session, call, username, password)
      const found = await get(session, lineRef)
      return found && parseLine(found)
    },
  }
  return { requireRow, packageRows, shared }
}
