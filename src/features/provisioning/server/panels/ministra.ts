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
/** Ministra counts in days and disables an account at the start of its end date, so the end is rounded up to the next midnight. */
const dayOf = (instant: string): string =>
  new Date(Math.ceil(Date.parse(instant) / dayMs) * dayMs).toISOString().slice(0, 10)

/** The REST API of Ministra (Stalker). It identifies accounts by their login and does not limit connections. */
export function ministra(user: string, key: string, inPortal: boolean): PanelAdapter {
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}` }
  const call = (file: string, method?: 'POST' | 'PUT' | 'DELETE', form?: Form) => ({
    file: `${inPortal ? '' : 'stalker_portal/'}api/${file}`,
    headers,
    ...(method && { method }),
    ...(form && { form }),
  })
  const resultsOf = ({ status, json }: PanelResponse): unknown => {
    const result = asText(ownField(json, 'status')).toUpperCase()
    const reason = firstField(json, 'error', 'message')
    if (result === 'OK' && status < 400) return ownField(json, 'results')
    if (result === 'ERROR') throw reason === undefined ? refusalError('invalid') : refusalFromText(reason)
    if (status >= 400) throw refusalFromStatus(status, reason)
    throw new PanelError('unreadable', 'The panel sent a response that cannot be read.')
  }
  const parseAccount = (row: unknown): PanelLine => {
    const line = parseLine(row)
    return { ...line, lineRef: line.username, password: null, connections: null }
  }
  const find = async (session: PanelSession, login: string): Promise<PanelLine | null> => {
    try {
      const results = resultsOf(await session.query(call(`accounts/${pathSegment(login)}`)))
      const row = (asRows(results) ?? [results]).find(
        (each) => asText(firstField(each, 'login', 'account_number')) === login,
      )
      return isRecord(row) ? parseAccount({ login, ...row }) : null
    } catch (error) {
      if (error instanceof PanelError && error.refusal === 'not_found') return null
      throw error
    }
  }
  const requireLine = async (session: PanelSession, login: string): Promise<PanelLine> =>
    (await find(session, login)) ?? Promise.reject(refusalError('not_found'))
  const update = async (
    session: PanelSession,
    login: string,
    form: Form,
    isApplied: (line: PanelLine) => boolean,
  ): Promise<PanelLine> => {
    await requireLine(session, login)
    await session.change(call(`accounts/${pathSegment(login)}`, 'PUT', form), resultsOf)
    const after = await requireLine(session, login)
    if (!isApplied(after))
      throw new PanelError('unreadable', 'The panel confirmed the request, but the line did not change as requested.')
    return after
  }
  const list = async (session: PanelSession, resource: string) => {
    const rows = asRows(resultsOf(await session.query({ ...call(`${resource}/`), bodyBytes: limits.panel.listBytes })))
    if (!rows) throw new PanelError('unreadable', 'The panel sent a list that cannot be read.')
    return rows
  }

  return {
    kind: 'ministra',
    can: { setConnections: false, idempotent: false },
    test: async (session) => {
      await list(session, 'tariffs')
      return { credits: null, panel: null }
    },
    packages: async (session) =>
      (await list(session, 'tariffs'))
        .map((row) => ({
          packageRef: asText(firstField(row, 'external_id', 'id')),
          name: asText(firstField(row, 'name')).slice(0, 120),
          connections: null,
          hours: null,
          credits: null,
          trial: false,
        }))
        .filter(({ packageRef }) => packageRef !== ''),
    lines: async (session) =>
      (await list(session, 'accounts')).map(parseAccount).filter(({ lineRef }) => lineRef !== ''),
    create: async (session, newLine) => {
      const end = dayOf(expiryFor(newLine))
      const { username, password } = newLine
      const form: Form = [
        ['login', username],
        ['password', password],
        ['account_number', username],
        ['full_name', username],
        ['tariff_plan', newLine.packageRef],
        ['status', '1'],
        ['end_date', end],
        ['comment', newLine.note],
      ]
      await session.change(call('accounts/', 'POST', form), resultsOf)
      const trial = newLine.trialHours !== undefined
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
    extend: (session, { lineRef, packageRef, until }) => {
      const end = dayOf(until)
      const form: Form = [['end_date', end]]
      if (packageRef !== undefined) form.push(['tariff_plan', packageRef])
      return update(session, lineRef, form, ({ expiresAt }) => expiresAt === asInstant(end))
    },
    enable: async (session, lineRef, enabled) => {
      const line = await update(
        session,
        lineRef,
        [['status', enabled ? '1' : '0']],
        (after) => after.enabled === enabled,
      )
      // A set-top box that is playing continues until it gets this event. If the event fails, the line is disabled all the same.
      if (!enabled)
        await session
          .query(call(`send_event/${pathSegment(lineRef)}`, 'POST', [['event', 'cut_off']]))
          .catch(() => undefined)
      return line
    },
    find: (session, { lineRef, username }) => {
      const login = lineRef ?? username
      return login ? find(session, login) : Promise.resolve(null)
    },
  }
}
