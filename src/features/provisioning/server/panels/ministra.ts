import { firstOf, instantIn, isRecord, own, rowsIn, textOf } from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import type { PanelLine } from './adapter.ts'
import { segment } from './address.ts'
import { PanelTrouble } from './errors.ts'
import { endOf } from './expiry.ts'
import type { Heard, Operation } from './http.ts'
import type { Dialect } from './panel-client.ts'
import { refusalIn, refusalOfStatus, refused } from './refusals.ts'
import { lineIn } from './rows.ts'

type Form = [string, string][]
const dayMs = 86_400_000
/** It counts in days and switches off as the day begins: the day after, unless the end is a midnight, so that nobody loses an hour paid for. */
const dayOf = (instant: string): string =>
  new Date(Math.ceil(Date.parse(instant) / dayMs) * dayMs).toISOString().slice(0, 10)

/** Ministra (Stalker) by its REST API. Accounts are known by their login; it counts no connections. */
export function ministra(user: string, key: string, inPortal: boolean): Dialect {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` }
  const call = (file: string, method?: 'POST' | 'PUT' | 'DELETE', form?: Form) => ({
    file: `${inPortal ? '' : 'stalker_portal/'}api/${file}`,
    headers,
    ...(method && { method }),
    ...(form && { form }),
  })
  const ok = ({ status, json }: Heard): unknown => {
    const said = textOf(own(json, 'status')).toUpperCase()
    const why = firstOf(json, 'error', 'message')
    if (said === 'OK' && status < 400) return own(json, 'results')
    if (said === 'ERROR') throw why === undefined ? refused('invalid') : refusalIn(why)
    if (status >= 400) throw refusalOfStatus(status, why)
    throw new PanelTrouble('unreadable', 'The panel gave an answer we cannot read.')
  }
  const accountIn = (row: unknown): PanelLine => {
    const line = lineIn(row)
    return { ...line, lineRef: line.username, password: null, connections: null }
  }
  const find = async (op: Operation, login: string): Promise<PanelLine | null> => {
    try {
      const results = ok(await op.ask(call(`accounts/${segment(login)}`)))
      const row = (rowsIn(results) ?? [results]).find(
        (each) => textOf(firstOf(each, 'login', 'account_number')) === login,
      )
      return isRecord(row) ? accountIn({ login, ...row }) : null
    } catch (error) {
      if (error instanceof PanelTrouble && error.refusal === 'not_found') return null
      throw error
    }
  }
  const known = async (op: Operation, login: string): Promise<PanelLine> =>
    (await find(op, login)) ?? Promise.reject(refused('not_found'))
  const changed = async (
    op: Operation,
    login: string,
    form: Form,
    isSo: (line: PanelLine) => boolean,
  ): Promise<PanelLine> => {
    await known(op, login)
    await op.tell(call(`accounts/${segment(login)}`, 'PUT', form), ok)
    const after = await known(op, login)
    if (!isSo(after)) throw new PanelTrouble('unreadable', 'The panel says yes, but the line is not as it should be.')
    return after
  }
  const list = async (op: Operation, what: string) => {
    const rows = rowsIn(ok(await op.ask({ ...call(`${what}/`), bodyBytes: limits.panel.listBytes })))
    if (!rows) throw new PanelTrouble('unreadable', 'The panel gave a list we cannot read.')
    return rows
  }

  return {
    kind: 'ministra',
    can: {
      trial: true,
      extend: true,
      suspend: true,
      terminate: true,
      setConnections: false,
      credits: false,
      idempotent: false,
    },
    test: async (op) => {
      await list(op, 'tariffs')
      return { credits: null, panel: null }
    },
    packages: async (op) =>
      (await list(op, 'tariffs'))
        .map((row) => ({
          packageRef: textOf(firstOf(row, 'external_id', 'id')),
          name: textOf(firstOf(row, 'name')).slice(0, 120),
          connections: null,
          hours: null,
          credits: null,
          trial: false,
        }))
        .filter(({ packageRef }) => packageRef !== ''),
    lines: async (op) => (await list(op, 'accounts')).map(accountIn).filter(({ lineRef }) => lineRef !== ''),
    create: async (op, made) => {
      const end = dayOf(endOf(made))
      const { username, password } = made
      const form: Form = [
        ['login', username],
        ['password', password],
        ['account_number', username],
        ['full_name', username],
        ['tariff_plan', made.packageRef],
        ['status', '1'],
        ['end_date', end],
        ['comment', made.note],
      ]
      await op.tell(call('accounts/', 'POST', form), ok)
      const trial = made.trialHours !== undefined
      return {
        lineRef: username,
        username,
        password,
        expiresAt: instantIn(end) ?? null,
        enabled: true,
        connections: null,
        trial,
      }
    },
    extend: (op, { lineRef, packageRef, until }) => {
      const end = dayOf(until)
      const form: Form = [['end_date', end]]
      if (packageRef !== undefined) form.push(['tariff_plan', packageRef])
      return changed(op, lineRef, form, ({ expiresAt }) => expiresAt === instantIn(end))
    },
    enable: async (op, lineRef, enabled) => {
      const line = await changed(op, lineRef, [['status', enabled ? '1' : '0']], (after) => after.enabled === enabled)
      // Without this a box that is on goes on playing; that it could not be told changes nothing of the line.
      if (!enabled)
        await op.ask(call(`send_event/${segment(lineRef)}`, 'POST', [['event', 'cut_off']])).catch(() => undefined)
      return line
    },
    terminate: async (op, lineRef) => {
      const line = await known(op, lineRef)
      await op.tell(call(`accounts/${segment(lineRef)}`, 'DELETE'), ok)
      return { ...line, enabled: false }
    },
    find: (op, { lineRef, username }) => {
      const login = lineRef ?? username
      return login ? find(op, login) : Promise.resolve(null)
    },
  }
}
