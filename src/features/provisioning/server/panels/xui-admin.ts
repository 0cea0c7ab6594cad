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

/** The administrator API of XUI.one and related panels. Its key has full access to the panel. */
export function xuiAdmin(key: string): PanelAdapter {
  const call: XuiCall = (action, fields = []) => ({
    method: 'POST',
    file: '',
    form: [['api_key', key], ['action', action], ...fields],
  })
  const { requireRow, packageRows, shared } = xuiBase(call, 'get_packages')
  /** Reads the content of a package, because the panel's call that creates a line takes bouquets, not packages. */
  const content = async (session: PanelSession, packageRef: string) => {
    const found = (await packageRows(session)).find((each) => parsePackage(each).packageRef === packageRef)
    if (!found) throw refusalError('package')
    return packageContent(found)
  }
  const edit = async (session: PanelSession, before: Row, lineRef: string, change: LineEdit): Promise<PanelLine> => {
    await session.change(call('edit_line', [['id', lineRef], ...editFields(before, change)]), xuiData)
    const after = await requireRow(session, lineRef)
    const lost = lostColumns(before, change, after)
    if (lost.length > 0)
      throw new PanelError(
        'unreadable',
        `The panel confirmed the request, but these fields of the line are wrong: ${lost.join(', ')}.`,
      )
    return parseLine(after)
  }

  return {
    ...shared,
    kind: 'xui-admin',
    can: { setConnections: true, idempotent: false },
    create: async (session, newLine) => {
      const expiresAt = expiryFor(newLine)
      const { bouquets, outputs } = await content(session, newLine.packageRef)
      const fields: [string, string][] = [
        ['username', newLine.username],
        ['password', newLine.password],
        ['max_connections', String(newLine.connections)],
        ['exp_date', toPanelTime(expiresAt)],
        ['admin_notes', newLine.note],
      ]
      fields.push(
        ...editFields(
          { bouquet: bouquets, allowed_outputs: outputs },
          { expiresAt, trial: newLine.trialHours !== undefined },
        ).filter(isContentField),
      )
      const { username, password, connections } = newLine
      const sent = { username, password, connections, expiresAt, trial: newLine.trialHours !== undefined }
      const line = await session.change(call('create_line', fields), (response) => parseLine(xuiRecord(response), sent))
      if (!line.lineRef)
        throw new PanelError('unreadable', 'The panel created a line but did not report its reference.')
      return line
    },
    extend: async (session, { lineRef, packageRef, until }) => {
      const before = await requireRow(session, lineRef)
      // A bought trial gets the content of its package. A paid line keeps its content, which may have been changed in the panel.
      const bought = parseLine(before).trial
        ? { trial: false, ...(packageRef !== undefined && (await content(session, packageRef))) }
        : {}
      return edit(session, before, lineRef, { ...bought, expiresAt: until })
    },
    connections: async (session, { lineRef, connections, packageRef }) => {
      const before = await requireRow(session, lineRef)
      const more = packageRef === undefined ? undefined : await content(session, packageRef)
      const has = packageContent(before)
      const both = more && {
        bouquets: [...new Set([...has.bouquets, ...more.bouquets])],
        outputs: [...new Set([...has.outputs, ...more.outputs])],
      }
      return edit(session, before, lineRef, { ...both, connections })
    },
  }
}

const contentFields = new Set(['bouquets_selected', 'access_output[]', 'is_trial'])
const isContentField = ([name]: [string, string]): boolean => contentFields.has(name)
