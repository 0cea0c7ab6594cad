import { firstOf, isRecord, numberOf, rowsIn, textOf, wordsOf } from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelLine, Refusal } from './adapter.ts'
import { PanelTrouble } from './errors.ts'
import type { Heard, Operation } from './http.ts'
import type { Dialect } from './panel-client.ts'
import { refused } from './refusals.ts'
import { lineIn, packageIn } from './rows.ts'
import type { Row } from './xui-edit.ts'
import { type XuiCall, xuiFind, xuiLines } from './xui-lines.ts'
import { xuiData } from './xui-response.ts'

/** The record an answer is about; a failure without a reason is `silent`. */
export function recordOf(heard: Heard, silent?: Refusal): Row {
  const data = xuiData(heard, silent)
  if (!isRecord(data)) throw new PanelTrouble('unreadable', 'The panel says yes, but not to what.')
  return data
}

/** What both of XUI's dialects say alike. */
export function xuiShared(call: XuiCall, packagesAction: string) {
  const get = async (op: Operation, lineRef: string): Promise<Row | null> => {
    const heard = await op.ask(call('get_line', [['id', lineRef]]))
    try {
      const data = xuiData(heard, 'not_found')
      return isRecord(data) && firstOf(data, 'username') !== undefined ? data : null
    } catch (error) {
      if (error instanceof PanelTrouble && error.refusal === 'not_found') return null
      throw error
    }
  }
  const known = async (op: Operation, lineRef: string): Promise<Row> => {
    const found = await get(op, lineRef)
    if (!found) throw refused('not_found')
    op.hide(textOf(found.password))
    return found
  }
  const packageRows = async (op: Operation) => rowsIn(xuiData(await op.ask(call(packagesAction)))) ?? []
  const shared: Pick<Dialect, 'test' | 'packages' | 'lines' | 'find'> &
    Required<Pick<Dialect, 'enable' | 'terminate'>> = {
    test: async (op) => {
      const account = recordOf(await op.ask(call('user_info')), 'auth')
      return { credits: numberOf(account.credits), panel: wordsOf(account.username) || null }
    },
    packages: async (op) => (await packageRows(op)).map(packageIn).filter(({ packageRef }) => packageRef !== ''),
    lines: (op) => xuiLines(op, call),
    enable: async (op, lineRef, enabled) => {
      await op.tell(call(enabled ? 'enable_line' : 'disable_line', [['id', lineRef]]), (heard) =>
        xuiData(heard, 'not_found'),
      )
      const line = lineIn(await known(op, lineRef))
      if (line.enabled !== enabled)
        throw new PanelTrouble('unreadable', `The panel says yes, but the line is ${line.enabled ? 'on' : 'off'}.`)
      return line
    },
    terminate: async (op, lineRef): Promise<PanelLine> => {
      const line = lineIn(await known(op, lineRef))
      await op.tell(call('delete_line', [['id', lineRef]]), (heard) => xuiData(heard, 'not_found'))
      return { ...line, enabled: false }
    },
    find: async (op, { lineRef, username, password }) => {
      if (lineRef === undefined) return xuiFind(op, call, username, password)
      const found = await get(op, lineRef)
      return found && lineIn(found)
    },
  }
  return { known, packageRows, shared }
}
