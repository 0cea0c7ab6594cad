import { asInstant, asRows, asText, firstField, isRecord, ownField } from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import type { PanelAdapter } from './adapter.ts'
import { pathSegment } from './address.ts'
import { PanelError } from './errors.ts'
import { expiryFor } from './expiry.ts'
import type { PanelResponse, PanelSession } from './http.ts'
import type { PanelLine } from './port.ts'
import { refusalError, refusalFromStatus, refusalFromText } from './refusals.ts'
import { parseLine } from './rows.ts'

type Form = [string, string][]
const dayMs = 86_400_000
/** It counts in days and switches off as the day begins: the day after, unless the end is a midnight, so that nobody loses an hour paid for. */
const dayOf = (instant: string): string =>
  new Date(Math.ceil(Date.parse(instant) / dayMs) * dayMs).toISOString().slice(0, 10)

/** Ministra (Stalker) by its REST API. Accounts are known by their login; it counts no connections. */
export function ministra(user: string, key: string, inPortal: boolean): PanelAdapter {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` }
  const call = (file: string, method?: 'POST' | 'PUT' | 'DELETE', form?: Form) => ({
    file: `${inPortal ? '' : 'stalker_portal/'}api/${file}`,
    headers,
    ...(method && { method }),
    ...(form && { form }),
  })
  const ok = ({ status, json }: PanelResponse): unknown => {
    const said = asText(ownField(json, 'status')).toUpperCase()
    const why = firstField(json, 'error', 'message')
    if (said === 'OK' && status < 400) return ownField(json, 'results')
    if (said === 'ERROR') throw why === undefined ? refusalError('invalid') : refusalFromText(why)
    if (status >= 400) throw refusalFromStatus(status, why)
    throw new PanelError('unreadable', 'The panel gave an answer we cannot read.')
  }
  const accountIn = (row: unknown): PanelLine => {
    const line = parseLine(row)
    return { ...line, lineRef: line.username, password: null, connections: null }
  }
  const find = async (op: PanelSession, login: string): Promise<PanelLine | null> => {
    try {
      const results = ok(await op.query(call(`accounts/${pathSegment(login)}`)))
      const row = (asRows(results) ?? [results]).find(
        (each) => asText(firstField(each, 'login', 'account_number')) === login,
      )
      return isRecord(row) ? accountIn({ login, ...row }) : null
    } catch (error) {
      if (error instanceof PanelError && error.refusal === 'not_found') return null
      throw error
    }
  }
  const known = async (op: PanelSession, login: string): Promise<PanelLine> =>
    (await find(op, login)) ?? Promise.reject(refusalError('not_found'))
  const changed = async (
    op: PanelSession,
    login: string,
    form: Form,
    isSo: (line: PanelLine) => boolean,
  ): Promise<PanelLine> => {
    await known(op, login)
    await op.change(call(`accounts/${pathSegment(login)}`, 'PUT', form), ok)
    const after = await known(op, login)
    if (!isSo(after)) throw new PanelError('unreadable', 'The panel says yes, but the line is not as it should be.')
    return after
  }
  const list = async (op: PanelSession, what: string) => {
    const rows = asRows(ok(await op.query({ ...call(`${what}/`), bodyBytes: limits.panel.listBytes })))
    if (!rows) throw new PanelError('unreadable', 'The panel gave a list we cannot read.')
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
          packageRef: asText(firstField(row, 'external_id', 'id')),
          name: asText(firstField(row, 'name')).slice(0, 120),
          connections: null,
          hours: null,
          credits: null,
          trial: false,
        }))
        .filter(({ packageRef }) => packageRef !== ''),
    lines: async (op) => (await list(op, 'accounts')).map(accountIn).filter(({ lineRef }) => lineRef !== ''),
    create: async (op, made) => {
      const end = dayOf(expiryFor(made))
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
      await op.change(call('accounts/', 'POST', form), ok)
      const trial = made.trialHours !== undefined
      return {
        lineRef: username,
        username,
        password,
        expiresAt: asInstant(end) ?? null,
        enabled: true,
        connections: null,
        trial,
      }
    },
    extend: (op, { lineRef, packageRef, until }) => {
      const end = dayOf(until)
      const form: Form = [['end_date', end]]
      if (packageRef !== undefined) form.push(['tariff_plan', packageRef])
      return changed(op, lineRef, form, ({ expiresAt }) => expiresAt === asInstant(end))
    },
    enable: async (op, lineRef, enabled) => {
      const line = await changed(op, lineRef, [['status', enabled ? '1' : '0']], (after) => after.enabled === enabled)
      // Without this a box that is on goes on playing; that it could not be told changes nothing of the line.
      if (!enabled)
        await op
          .query(call(`send_event/${pathSegment(lineRef)}`, 'POST', [['event', 'cut_off']]))
          .catch(() => undefined)
      return line
    },
    terminate: async (op, lineRef) => {
      const line = await known(op, lineRef)
      await op.change(call(`accounts/${pathSegment(lineRef)}`, 'DELETE'), ok)
      return { ...line, enabled: false }
    },
    find: (op, { lineRef, username }) => {
      const login = lineRef ?? username
      return login ? find(op, login) : Promise.resolve(null)
    },
  }
}
