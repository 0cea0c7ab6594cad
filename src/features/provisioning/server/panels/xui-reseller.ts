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
 * The API that resellers of XUI and Xtream-Masters use. A package says what a line holds, for how many screens and how long, and costs
 * credits each time: so an extension that has already reached its end is not asked for again.
 */
export function xuiReseller(key: string, file: string): PanelAdapter {
  const call: XuiCall = (action, fields = []) => ({
    method: 'POST',
    file,
    form: [['api_key', key], ['action', action], ...fields],
  })
  const { known, packageRows, shared } = xuiBase(call, 'packages')
  const hoursOf = async (op: PanelSession, packageRef: string): Promise<number | null> => {
    const found = (await packageRows(op)).map(parsePackage).find((each) => each.packageRef === packageRef)
    if (!found) throw refusalError('package')
    return found.hours
  }

  return {
    ...shared,
    kind: 'xui-reseller',
    can: {
      trial: true,
      extend: true,
      suspend: true,
      terminate: true,
      setConnections: false,
      credits: true,
      idempotent: false,
    },
    create: async (op, made) => {
      const trial = made.trialHours !== undefined
      const fields: [string, string][] = [
        ['package', made.packageRef],
        ['trial', trial ? '1' : '0'],
        ['username', made.username],
        ['password', made.password],
        ['reseller_notes', made.note],
      ]
      const { username, password, expiresAt } = made
      // Some panels say the number and the end alone.
      const line = await op.change(call('create_line', fields), (heard) => {
        const told = parseLine(xuiRecord(heard), { username, password, expiresAt: expiresAt ?? null, trial })
        if (!told.lineRef) throw new PanelError('unreadable', 'The panel made a line and did not say which.')
        return told
      })
      return known(op, line.lineRef).then(
        (row) => parseLine(row, line),
        () => line,
      )
    },
    extend: async (op, { lineRef, packageRef, until }): Promise<PanelLine> => {
      if (packageRef === undefined) throw refusalError('package', 'An extension needs a package.')
      const before = parseLine(await known(op, lineRef))
      if (!before.trial && alreadyCovers(before.expiresAt, until, await hoursOf(op, packageRef))) return before
      await op.change(
        call('edit_line', [
          ['id', lineRef],
          ['package', packageRef],
        ]),
        xuiData,
      )
      const after = parseLine(await known(op, lineRef))
      if (after.expiresAt !== null && before.expiresAt !== null && after.expiresAt <= before.expiresAt)
        throw new PanelError('unreadable', 'The panel says yes, but the line ends as before.')
      return after
    },
  }
}
