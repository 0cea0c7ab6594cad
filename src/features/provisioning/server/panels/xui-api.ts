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
import type { PanelLine, Refusal } from './port.ts'
import { refusalError } from './refusals.ts'
import { parseLine, parsePackage } from './rows.ts'
import type { Row } from './xui-edit.ts'
import { findXuiLine, listXuiLines, type XuiCall } from './xui-lines.ts'
import { xuiData } from './xui-response.ts'

/** The record an answer is about; a failure without a reason is `silent`. */
export function xuiRecord(heard: PanelResponse, silent?: Refusal): Row {
  const data = xuiData(heard, silent)
  if (!isRecord(data)) throw new PanelError('unreadable', 'The panel says yes, but not to what.')
  return data
}

/** What both of XUI's dialects say alike. */
export function xuiBase(call: XuiCall, packagesAction: string) {
  const get = async (op: PanelSession, lineRef: string): Promise<Row | null> => {
    const heard = await op.query(call('get_line', [['id', lineRef]]))
    try {
      const data = xuiData(heard, 'not_found')
      return isRecord(data) && firstField(data, 'username') !== undefined ? data : null
    } catch (error) {
      if (error instanceof PanelError && error.refusal === 'not_found') return null
      throw error
    }
  }
  const known = async (op: PanelSession, lineRef: string): Promise<Row> => {
    const found = await get(op, lineRef)
    if (!found) throw refusalError('not_found')
    op.addSecret(asText(found.password))
    return found
  }
  const packageRows = async (op: PanelSession) => asRows(xuiData(await op.query(call(packagesAction)))) ?? []
  const shared: Pick<PanelAdapter, 'test' | 'packages' | 'lines' | 'find'> &
    Required<Pick<PanelAdapter, 'enable' | 'terminate'>> = {
    test: async (op) => {
      const account = xuiRecord(await op.query(call('user_info')), 'auth')
      return { credits: asNumber(account.credits), panel: asSingleLine(account.username) || null }
    },
    packages: async (op) => (await packageRows(op)).map(parsePackage).filter(({ packageRef }) => packageRef !== ''),
    lines: (op) => listXuiLines(op, call),
    enable: async (op, lineRef, enabled) => {
      await op.change(call(enabled ? 'enable_line' : 'disable_line', [['id', lineRef]]), (heard) =>
        xuiData(heard, 'not_found'),
      )
      const line = parseLine(await known(op, lineRef))
      if (line.enabled !== enabled)
        throw new PanelError('unreadable', `The panel says yes, but the line is ${line.enabled ? 'on' : 'off'}.`)
      return line
    },
    terminate: async (op, lineRef): Promise<PanelLine> => {
      const line = parseLine(await known(op, lineRef))
      await op.change(call('delete_line', [['id', lineRef]]), (heard) => xuiData(heard, 'not_found'))
      return { ...line, enabled: false }
    },
    find: async (op, { lineRef, username, password }) => {
      if (lineRef === undefined) return findXuiLine(op, call, username, password)
      const found = await get(op, lineRef)
      return found && parseLine(found)
    },
  }
  return { known, packageRows, shared }
}
