import type { NewLine, PanelLine } from '../port.ts'
import type { Dialect } from './dialect.ts'
import { lineIn, packageIn } from './line-row.ts'
import type { Heard, Operation } from './operation.ts'
import { firstOf, isRecord, momentFor, numberOf, rowsIn, textOf, wordsOf } from './reading.ts'
import { refused } from './refusals.ts'
import { PanelTrouble } from './trouble.ts'
import { xuiData } from './xui-answer.ts'
import { xuiFind, xuiLines } from './xui-lines.ts'
import { type Change, contentOf, editFields, lostIn, type Row } from './xui-row.ts'

/** When a line made now shall end. Without an end it would never. */
export function endOf(made: Pick<NewLine, 'expiresAt' | 'trialHours'>): string {
  const end = made.expiresAt ?? (made.trialHours === undefined ? undefined : new Date(Date.now() + made.trialHours * 3_600_000).toISOString())
  if (!end) throw refused('invalid', 'No end was given.')
  return end
}

/** The API that administrators of XUI.one and its relatives use. The key may do everything, so a reseller's is the better one. */
export function xuiAdmin(key: string): Dialect {
  const call = (action: string, fields: [string, string][] = []) => ({
    method: 'POST' as const,
    file: '',
    form: [['api_key', key], ['action', action], ...fields] as [string, string][],
  })
  const row = (heard: Heard): Row => {
    const data = xuiData(heard)
    if (!isRecord(data)) throw new PanelTrouble('unreadable', 'The panel says yes, but not to what.')
    return data
  }
  const packageRows = async (op: Operation) => rowsIn(xuiData(await op.ask(call('get_packages')))) ?? []
  /** What a package holds. The panel's own call to make lines knows bouquets only. */
  const content = async (op: Operation, packageRef: string) => {
    const found = (await packageRows(op)).find((each) => packageIn(each).packageRef === packageRef)
    if (!found) throw refused('package')
    return contentOf(found)
  }
  const get = async (op: Operation, lineRef: string): Promise<Row | null> => {
    const heard = await op.ask(call('get_line', [['id', lineRef]]))
    try {
      const data = xuiData(heard, 'not_found')
      return isRecord(data) ? data : null
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
  const edit = async (op: Operation, before: Row, lineRef: string, change: Change): Promise<PanelLine> => {
    await op.tell(call('edit_line', [['id', lineRef], ...editFields(before, change)]), xuiData)
    const after = await known(op, lineRef)
    const lost = lostIn(before, change, after)
    if (lost.length > 0) throw new PanelTrouble('unreadable', `After the change the panel’s line is not as it should be: ${lost.join(', ')}.`)
    return lineIn(after)
  }

  return {
    kind: 'xui-admin',
    can: { trial: true, extend: true, suspend: true, terminate: true, setConnections: true, credits: true, idempotent: false },
    test: async (op) => {
      const account = row(await op.ask(call('user_info')))
      return { credits: numberOf(account.credits), panel: wordsOf(account.username) || null }
    },
    packages: async (op) => (await packageRows(op)).map(packageIn).filter(({ packageRef }) => packageRef !== ''),
    lines: (op) => xuiLines(op, call),
    create: async (op, made) => {
      const expiresAt = endOf(made)
      const { bouquets, outputs } = await content(op, made.packageRef)
      const fields: [string, string][] = [
        ['username', made.username],
        ['password', made.password],
        ['max_connections', String(made.connections)],
        ['exp_date', momentFor(expiresAt)],
        ['admin_notes', made.note],
      ]
      fields.push(...editFields({ bouquet: bouquets, allowed_outputs: outputs }, { expiresAt, trial: made.trialHours !== undefined }).filter(contentOnly))
      const { username, password, connections } = made
      const sent = { username, password, connections, expiresAt, trial: made.trialHours !== undefined }
      const line = await op.tell(call('create_line', fields), (heard) => lineIn(row(heard), sent))
      if (!line.lineRef) throw new PanelTrouble('unreadable', 'The panel made a line and did not say which.')
      return line
    },
    extend: async (op, { lineRef, packageRef, until }) => {
      const before = await known(op, lineRef)
      // A trial that is bought becomes a line like any other; a paid line keeps what it has, whatever was added by hand.
      const bought = lineIn(before).trial ? { trial: false, ...(packageRef !== undefined && (await content(op, packageRef))) } : {}
      return edit(op, before, lineRef, { ...bought, expiresAt: until })
    },
    connections: async (op, { lineRef, connections, packageRef }) => {
      const before = await known(op, lineRef)
      const more = packageRef === undefined ? undefined : await content(op, packageRef)
      const has = contentOf(before)
      const both = more && { bouquets: [...new Set([...has.bouquets, ...more.bouquets])], outputs: [...new Set([...has.outputs, ...more.outputs])] }
      return edit(op, before, lineRef, { ...both, connections })
    },
    enable: async (op, lineRef, enabled) => {
      await op.tell(call(enabled ? 'enable_line' : 'disable_line', [['id', lineRef]]), (heard) => xuiData(heard, 'not_found'))
      const line = lineIn(await known(op, lineRef))
      if (line.enabled !== enabled) throw new PanelTrouble('unreadable', `The panel says yes, but the line is ${line.enabled ? 'on' : 'off'}.`)
      return line
    },
    terminate: async (op, lineRef) => {
      const line = lineIn(await known(op, lineRef))
      await op.tell(call('delete_line', [['id', lineRef]]), (heard) => xuiData(heard, 'not_found'))
      return { ...line, enabled: false }
    },
    find: async (op, { lineRef, username, password }) => {
      if (lineRef === undefined) return xuiFind(op, call, username, password)
      const found = await get(op, lineRef)
      return found && firstOf(found, 'username') !== undefined ? lineIn(found) : null
    },
  }
}

const contents = new Set(['bouquets_selected', 'access_output[]', 'is_trial'])
const contentOnly = ([name]: [string, string]): boolean => contents.has(name)
