import { asBoolean, asText, firstField, isRecord, ownField } from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelAdapter } from './adapter.ts'
import { PanelError } from './errors.ts'
import { expiryFor } from './expiry.ts'
import type { PanelResponse, PanelSession } from './http.ts'
import type { LineCredentials, PanelLine } from './port.ts'
import { refusalError, refusalFromStatus, refusalFromText } from './refusals.ts'
import { parseLine } from './rows.ts'

type Fields = [string, string][]
/** Xtream Codes answers so to a wrong key and to a server that is not on its list; its successors also to what they no longer offer. */
const silent = () =>
  new PanelError(
    'auth',
    'The panel does not accept the key, or this server’s address is not on its list. It gives no reason.',
  )

/** The API of Xtream Codes and what came after it in its shape. It knows a line by its user name; `packageRef` lists bouquets: `1,2,3`. */
export function xcApi(key: string, file: string): PanelAdapter {
  const call = (action: string, sub: string, form: Fields = []) => ({
    method: 'POST' as const,
    file,
    query: { action, sub },
    form: [...(key ? ([['api_pass', key]] as Fields) : []), ...form],
  })
  const yes = ({ status, json }: PanelResponse): unknown => {
    const result = asBoolean(ownField(json, 'result'))
    const why = firstField(json, 'error', 'message')
    if (result === false) throw why === undefined ? silent() : refusalFromText(why)
    if (status >= 400) throw refusalFromStatus(status, why)
    if (result === null && !isRecord(ownField(json, 'user_info')))
      throw new PanelError('unreadable', 'The panel gave an answer we cannot read.')
    return json
  }
  const find = async (op: PanelSession, username: string, password?: string): Promise<PanelLine | null> => {
    const form: Fields = [['username', username]]
    if (password !== undefined) form.push(['password', password])
    const heard = await op.query(call('user', 'info', form))
    const why = firstField(heard.json, 'error', 'message')
    const trouble = why === undefined ? undefined : refusalFromText(why, 'not_found')
    if (asBoolean(ownField(heard.json, 'result')) === false && (!trouble || trouble.refusal === 'not_found'))
      return null
    if (heard.status === 404) return null
    const json = yes(heard)
    const row = firstField(json, 'user_info', 'data') ?? json
    if (firstField(row, 'username', 'id', 'user_id') === undefined) return null
    const line = parseLine(row, { username, password: password ?? null })
    op.addSecret(line.password)
    return { ...line, lineRef: line.username }
  }
  const edited = async (
    op: PanelSession,
    lineRef: string,
    credentials: LineCredentials | undefined,
    data: Fields,
    isSo: (line: PanelLine) => boolean,
  ) => {
    const before = await find(op, lineRef, credentials?.password)
    if (!before) throw refusalError('not_found')
    const password = credentials?.password ?? before.password
    if (password === null)
      throw refusalError('invalid', 'This panel changes a line by its password, which nobody gave.')
    await op.change(call('user', 'edit', [['username', lineRef], ['password', password], ...data]), yes)
    const after = await find(op, lineRef, password)
    if (!after || !isSo(after))
      throw new PanelError('unreadable', 'The panel says yes, but the line is not as it should be.')
    return after
  }
  const field = (name: string, value: string): [string, string] => [`user_data[${name}]`, value]
  const secondsOf = (instant: string) => String(Math.floor(Date.parse(instant) / 1000))

  return {
    kind: 'xc-api',
    can: {
      trial: true,
      extend: true,
      suspend: true,
      terminate: false,
      setConnections: true,
      credits: false,
      idempotent: false,
    },
    test: async (op) => {
      const { status, json } = await op.query(call('reg_user', 'list'))
      const why = firstField(json, 'error', 'message')
      if (asBoolean(ownField(json, 'result')) === false)
        throw why === undefined ? silent() : refusalFromText(why, 'auth')
      if (status >= 400) throw refusalFromStatus(status, why)
      return { credits: null, panel: null }
    },
    create: async (op, made) => {
      const expiresAt = expiryFor(made)
      const bouquets = made.packageRef.split(',').map((id) => id.trim())
      if (!bouquets.every((id) => /^\d{1,9}$/.test(id)))
        throw refusalError('package', 'For this panel a package is a list of bouquets, such as 1,2,3.')
      const { username, password, connections } = made
      const trial = made.trialHours !== undefined
      const data: Fields = [
        field('username', username),
        field('password', password),
        field('max_connections', String(connections)),
        field('is_restreamer', '0'),
        field('exp_date', secondsOf(expiresAt)),
        field('bouquet', `[${bouquets.join(',')}]`),
        field('reseller_notes', made.note),
      ]
      if (trial) data.push(field('is_trial', '1'))
      const line = await op.change(call('user', 'create', data), (heard) =>
        parseLine(yes(heard), { username, password, connections, expiresAt, trial }),
      )
      return { ...line, lineRef: line.username }
    },
    extend: (op, { lineRef, until, credentials }) =>
      edited(
        op,
        lineRef,
        credentials,
        [field('exp_date', secondsOf(until))],
        (line) => line.expiresAt !== null && secondsOf(line.expiresAt) === secondsOf(until),
      ),
    connections: (op, { lineRef, connections, credentials }) =>
      edited(
        op,
        lineRef,
        credentials,
        [field('max_connections', String(connections))],
        (line) => line.connections === connections,
      ),
    enable: (op, lineRef, enabled, credentials) =>
      edited(op, lineRef, credentials, [field('enabled', enabled ? '1' : '0')], (line) => line.enabled === enabled),
    find: (op, { lineRef, username, password }) => {
      const name = asText(lineRef ?? username)
      return name ? find(op, name, password) : Promise.resolve(null)
    },
  }
}
