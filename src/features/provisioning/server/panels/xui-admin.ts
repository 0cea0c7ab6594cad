import { toPanelTime } from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelAdapter } from './adapter.ts'
import { PanelError } from './errors.ts'
import { expiryFor } from './expiry.ts'
import type { PanelSession } from './http.ts'
import type { PanelLine } from './port.ts'
import { refusalError } from './refusals.ts'
import { parseLine, parsePackage } from './rows.ts'
import { xuiBase, xuiRecord } from './xui-api.ts'
import { editFields, type LineEdit, lostColumns, packageContent, type Row } from './xui-edit.ts'
import type { XuiCall } from './xui-lines.ts'
import { xuiData } from './xui-response.ts'

/** The API that administrators of XUI.one and its relatives use. The key may do everything, so a reseller's is the better one. */
export function xuiAdmin(key: string): PanelAdapter {
  const call: XuiCall = (action, fields = []) => ({
    method: 'POST',
    file: '',
    form: [['api_key', key], ['action', action], ...fields],
  })
  const { known, packageRows, shared } = xuiBase(call, 'get_packages')
  /** What a package holds. The panel's own call to make lines knows bouquets only. */
  const content = async (op: PanelSession, packageRef: string) => {
    const found = (await packageRows(op)).find((each) => parsePackage(each).packageRef === packageRef)
    if (!found) throw refusalError('package')
    return packageContent(found)
  }
  const edit = async (op: PanelSession, before: Row, lineRef: string, change: LineEdit): Promise<PanelLine> => {
    await op.change(call('edit_line', [['id', lineRef], ...editFields(before, change)]), xuiData)
    const after = await known(op, lineRef)
    const lost = lostColumns(before, change, after)
    if (lost.length > 0)
      throw new PanelError(
        'unreadable',
        `After the change the panel’s line is not as it should be: ${lost.join(', ')}.`,
      )
    return parseLine(after)
  }

  return {
    ...shared,
    kind: 'xui-admin',
    can: {
      trial: true,
      extend: true,
      suspend: true,
      terminate: true,
      setConnections: true,
      credits: true,
      idempotent: false,
    },
    create: async (op, made) => {
      const expiresAt = expiryFor(made)
      const { bouquets, outputs } = await content(op, made.packageRef)
      const fields: [string, string][] = [
        ['username', made.username],
        ['password', made.password],
        ['max_connections', String(made.connections)],
        ['exp_date', toPanelTime(expiresAt)],
        ['admin_notes', made.note],
      ]
      fields.push(
        ...editFields(
          { bouquet: bouquets, allowed_outputs: outputs },
          { expiresAt, trial: made.trialHours !== undefined },
        ).filter(contentOnly),
      )
      const { username, password, connections } = made
      const sent = { username, password, connections, expiresAt, trial: made.trialHours !== undefined }
      const line = await op.change(call('create_line', fields), (heard) => parseLine(xuiRecord(heard), sent))
      if (!line.lineRef) throw new PanelError('unreadable', 'The panel made a line and did not say which.')
      return line
    },
    extend: async (op, { lineRef, packageRef, until }) => {
      const before = await known(op, lineRef)
      // A trial that is bought becomes a line like any other; a paid line keeps what it has, whatever was added by hand.
      const bought = parseLine(before).trial
        ? { trial: false, ...(packageRef !== undefined && (await content(op, packageRef))) }
        : {}
      return edit(op, before, lineRef, { ...bought, expiresAt: until })
    },
    connections: async (op, { lineRef, connections, packageRef }) => {
      const before = await known(op, lineRef)
      const more = packageRef === undefined ? undefined : await content(op, packageRef)
      const has = packageContent(before)
      const both = more && {
        bouquets: [...new Set([...has.bouquets, ...more.bouquets])],
        outputs: [...new Set([...has.outputs, ...more.outputs])],
      }
      return edit(op, before, lineRef, { ...both, connections })
    },
  }
}

const contents = new Set(['bouquets_selected', 'access_output[]', 'is_trial'])
const contentOnly = ([name]: [string, string]): boolean => contents.has(name)
