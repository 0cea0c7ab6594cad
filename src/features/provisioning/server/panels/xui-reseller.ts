import type { PanelAdapter } from './adapter.ts'
import { PanelError } from './errors.ts'
import type { PanelSession } from './http.ts'
import { alreadyCovers } from './periods.ts'
import type { PanelLine } from './port.ts'
import { refusalError } from './refusals.ts'
import { parseLine, parsePackage } from './rows.ts'
import { xuiBase, xuiRecord } from './xui-api.ts'
import type { XuiCall } from './xui-lines.ts'
import { xuiData } from './xui-response.ts'

/**
 * The reseller API of XUI and Xtream-Masters. A package sets a line's content, connections and length, and each use costs credits. Therefore an extension that
 * already took effect is not requested again.
 */
export function xuiReseller(key: string, file: string): PanelAdapter {
  const call: XuiCall = (action, fields = []) => ({
    method: 'POST',
    file,
    form: [['api_key', key], ['action', action], ...fields],
  })
  const { requireRow, packageRows, shared } = xuiBase(call, 'packages')
  const hoursOf = async (session: PanelSession, packageRef: string): Promise<number | null> => {
    const found = (await packageRows(session)).map(parsePackage).find((each) => each.packageRef === packageRef)
    if (!found) throw refusalError('package')
    return found.hours
  }

  return {
    ...shared,
    kind: 'xui-reseller',
    can: { setConnections: false, idempotent: false },
    create: async (session, newLine) => {
      const trial = newLine.trialHours !== undefined
      const fields: [string, string][] = [
        ['package', newLine.packageRef],
        ['trial', trial ? '1' : '0'],
        ['username', newLine.username],
        ['password', newLine.password],
        ['reseller_notes', newLine.note],
      ]
      const { username, password, expiresAt } = newLine
      // Some panels report only the reference and the expiry date.
      const line = await session.change(call('create_line', fields), (response) => {
        const created = parseLine(xuiRecord(response), { username, password, expiresAt: expiresAt ?? null, trial })
        if (!created.lineRef)
          throw new PanelError('unreadable', 'The panel created a line but did not report its reference.')
        return created
      })
      return requireRow(session, line.lineRef).then(
        (row) => parseLine(row, line),
        () => line,
      )
    },
    extend: async (session, { lineRef, packageRef, until }): Promise<PanelLine> => {
      if (packageRef === undefined) throw refusalError('package', 'An extension needs a package.')
      const before = parseLine(await requireRow(session, lineRef))
      if (!before.trial && alreadyCovers(before.expiresAt, until, await hoursOf(session, packageRef))) return before
      await session.change(
        call('edit_line', [
          ['id', lineRef],
          ['package', packageRef],
        ]),
        xuiData,
      )
      const after = parseLine(await requireRow(session, lineRef))
      if (after.expiresAt !== null && before.expiresAt !== null && after.expiresAt <= before.expiresAt)
        throw new PanelError('unreadable', 'The panel confirmed the extension, but the expiry date did not change.')
      return after
    },
  }
}
