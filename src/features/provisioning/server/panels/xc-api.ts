import { asBoolean, asText, firstField, isRecord, ownField } from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelAdapter } from './adapter.ts'
import { PanelError } from './errors.ts'
import { expiryFor } from './expiry.ts'
import type { PanelResponse, PanelSession } from './http.ts'
import type { LineCredentials, PanelLine } from './port.ts'
import { refusalError, refusalFromStatus, refusalFromText } from './refusals.ts'
import { parseLine } from './rows.ts'

type Fields = [string, string][]
/**
 * The error for a refusal without a reason. Xtream Codes refuses a wrong key like this, and a server that is not on its allowlist; its successors also refuse
 * removed actions like this.
 */
const refusedWithoutReason = () =>
  new PanelError(
    'auth',
    'The panel does not accept the key, or this server’s address is not on its allowlist. It gives no reason.',
  )

/** The API of Xtream Codes and compatible panels. It identifies a line by its username; `packageRef` is a list of bouquets such as `1,2,3`. */
export function xcApi(key: string, file: string): PanelAdapter {
  const call = (action: string, sub: string, form: Fields = []) => ({
    method: 'POST' as const,
    file,
    query: { action, sub },
    form: [...(key ? ([['api_pass', key]] as Fields) : []), ...form],
  })
  const confirmed = ({ status, json }: PanelResponse): unknown => {
    const result = asBoolean(ownField(json, 'result'))
    const reason = firstField(json, 'error', 'message')
    if (result === false) throw reason === undefined ? refusedWithoutReason() : refusalFromText(reason)
    if (status >= 400) throw refusalFromStatus(status, reason)
    if (result === null && !isRecord(ownField(json, 'user_info')))
      throw new PanelError('unreadable', 'The panel sent a response that cannot be read.')
    return json
  }
  const find = async (session: PanelSession, username: string, password?: string): Promise<PanelLine | null> => {
    const form: Fields = [['username', username]]
    if (password !== undefined) form.push(['password', password])
    const response = await session.query(call('user', 'info', form))
    const reason = firstField(response.json, 'error', 'message')
    const error = reason === undefined ? undefined : refusalFromText(reason, 'not_found')
    if (asBoolean(ownField(response.json, 'result')) === false && (!error || error.refusal === 'not_found')) return null
    if (response.status === 404) return null
    const json = confirmed(response)
    const row = firstField(json, 'user_info', 'data') ?? json
    if (firstField(row, 'username', 'id', 'user_id') === undefined) return null
    const line = parseLine(row, { username, password: password ?? null })
    session.addSecret(line.password)
    return { ...line, lineRef: line.username }
  }
  const edit = async (
    session: PanelSession,
    lineRef: string,
    credentials: LineCredentials | undefined,
    data: Fields,
    isApplied: (line: PanelLine) => boolean,
  ) => {
    const before = await find(session, lineRef, credentials?.password)
    if (!before) throw refusalError('not_found')
    const password = credentials?.password ?? before.password
    if (password === null)
      throw refusalError('invalid', 'This panel identifies a line by its password, which is unknown.')
    await session.change(call('user', 'edit', [['username', lineRef], ['password', password], ...data]), confirmed)
    const after = await find(session, lineRef, password)
    if (!after || !isApplied(after))
      throw new PanelError('unreadable', 'The panel confirmed the request, but the line did not change as requested.')
    return after
  }
  const field = (name: string, value: string): [string, string] => [`user_data[${name}]`, value]
  const secondsOf = (instant: string) => String(Math.floor(Date.parse(instant) / 1000))

  return {
    kind: 'xc-api',
    can: { setConnections: true, idempotent: false },
    test: async (session) => {
      const { status, json } = await session.query(call('reg_user', 'list'))
      const reason = firstField(json, 'error', 'message')
      if (asBoolean(ownField(json, 'result')) === false)
        throw reason === undefined ? refusedWithoutReason() : refusalFromText(reason, 'auth')
      if (status >= 400) throw refusalFromStatus(status, reason)
      return { credits: null, panel: null }
    },
    create: async (session, newLine) => {
      const expiresAt = expiryFor(newLine)
      const bouquets = newLine.packageRef.split(',').map((id) => id.trim())
      if (!bouquets.every((id) => /^\d{1,9}$/.test(id)))
        throw refusalError('package', 'For this panel, a package is a list of bouquets such as 1,2,3.')
      const { username, password, connections } = newLine
      const trial = newLine.trialHours !== undefined
      const data: Fields = [
        field('username', username),
        field('password', password),
        field('max_connections', String(connections)),
        field('is_restreamer', '0'),
        field('exp_date', secondsOf(expiresAt)),
        field('bouquet', `[${bouquets.join(',')}]`),
        field('reseller_notes', newLine.note),
      ]
      if (trial) data.push(field('is_trial', '1'))
      const line = await session.change(call('user', 'create', data), (response) =>
        parseLine(confirmed(response), { username, password, connections, expiresAt, trial }),
      )
      return { ...line, lineRef: line.username }
    },
    extend: (session, { lineRef, until, credentials }) =>
      edit(
        session,
        lineRef,
        credentials,
        [field('exp_date', secondsOf(until))],
        (line) => line.expiresAt !== null && secondsOf(line.expiresAt) === secondsOf(until),
      ),
    connections: (session, { lineRef, connections, credentials }) =>
      edit(
        session,
        lineRef,
        credentials,
        [field('max_connections', String(connections))],
        (line) => line.connections === connections,
      ),
    enable: (session, lineRef, enabled, credentials) =>
      edit(session, lineRef, credentials, [field('enabled', enabled ? '1' : '0')], (line) => line.enabled === enabled),
    find: (session, { lineRef, username, password }) => {
      const name = asText(lineRef ?? username)
      return name ? find(session, name, password) : Promise.resolve(null)
    },
  }
}
