import {
  asBoolean,
  asNumber,
  asSingleLine,
  asText,
  firstField,
  isRecord,
  ownField,
} from '#features/iptv/server/xtream/json-fields.ts'
import type { PanelAdapter } from './adapter.ts'
import { PanelError } from './errors.ts'
import type { PanelResponse, PanelSession } from './http.ts'
import { alreadyCovers } from './periods.ts'
import type { LineCredentials, PanelLine } from './port.ts'
import { refusalError, refusalFromStatus, refusalFromText } from './refusals.ts'
import { parseLine } from './rows.ts'

/** What an answer is about: some wrap it in a list, some in `data`, some in `data.user`. */
function within(json: unknown): unknown {
  if (Array.isArray(json)) return within(json[0])
  const inner = ownField(json, 'data')
  return isRecord(inner) ? (ownField(inner, 'user') ?? inner) : json
}

function yes({ status, json }: PanelResponse): unknown {
  const row = Array.isArray(json) ? json[0] : json
  const why = firstField(row, 'error', 'message', 'msg', 'mens')
  if (status >= 400) throw refusalFromStatus(status, why)
  const result =
    asBoolean(firstField(row, 'status', 'success', 'result')) ??
    (/^(success|ok)$/i.test(asText(ownField(row, 'status'))) ? true : null)
  if (result === false || firstField(row, 'error') !== undefined) throw refusalFromText(why)
  if (!isRecord(row) || result === null) throw new PanelError('unreadable', 'The panel gave an answer we cannot read.')
  return within(json)
}

/** Credentials that stand in an address only. The address itself is never called. */
function credentialsIn(row: unknown): Partial<LineCredentials> {
  const address = URL.parse(asText(firstField(row, 'url', 'm3u_url', 'm3uUrl')))
  return address
    ? { username: address.searchParams.get('username') ?? '', password: address.searchParams.get('password') ?? '' }
    : {}
}

/**
 * What resellers are given under the name of a panel API: one address, a key, a package called `sub`. The panel may draw the
 * credentials itself, and knows a line by them alone.
 */
export function panelApi(key: string, file: string): PanelAdapter {
  const call = (action: string, query: Record<string, string> = {}) => ({
    file,
    query: { action, ...query, api_key: key },
  })
  const asked = ({ username, password }: LineCredentials) => ({ username, password })
  const info = async (op: PanelSession, credentials: LineCredentials): Promise<PanelLine | null> => {
    const heard = await op.query(call('client_info', asked(credentials)))
    try {
      const { status: _, ...row } = yes(heard) as Record<string, unknown>
      return { ...parseLine(row, credentials), ...credentials, lineRef: credentials.username }
    } catch (error) {
      if (error instanceof PanelError && (error.refusal === 'not_found' || error.refusal === 'invalid')) return null
      throw error
    }
  }

  return {
    kind: 'panel-api',
    can: {
      trial: true,
      extend: true,
      suspend: false,
      terminate: false,
      setConnections: false,
      credits: true,
      idempotent: false,
    },
    test: async (op) => {
      const account = yes(await op.query(call('account_info')))
      return {
        credits: asNumber(firstField(account, 'credits', 'credit', 'balance')),
        panel: asSingleLine(firstField(account, 'username', 'name')) || null,
      }
    },
    create: async (op, made) => {
      const { username, password, packageRef, expiresAt } = made
      const wish = { type: 'm3u', sub: packageRef, username, password, notes: made.note }
      const line = await op.change(call('new', wish), (heard) => {
        const row = yes(heard)
        const told = parseLine(
          { ...(row as object), status: undefined },
          { expiresAt: expiresAt ?? null, trial: made.trialHours !== undefined },
        )
        const inAddress = credentialsIn(row)
        const found = { username: told.username || inAddress.username, password: told.password || inAddress.password }
        op.addSecret(found.password ?? null)
        if (!found.username || !found.password)
          throw new PanelError('unreadable', 'The panel made a line and did not say which.')
        return { ...told, username: found.username, password: found.password, lineRef: found.username }
      })
      if (line.expiresAt !== (expiresAt ?? null)) return line
      // Its own word on the end, where it has one: a line that is seconds old is often not known yet.
      const known = await info(op, line).catch(() => null)
      return known ? { ...line, expiresAt: known.expiresAt ?? line.expiresAt } : line
    },
    extend: async (op, { packageRef, until, credentials }) => {
      if (!credentials) throw refusalError('invalid', 'This panel knows a line by its password, which nobody gave.')
      if (packageRef === undefined) throw refusalError('package', 'An extension needs a package.')
      op.addSecret(credentials.password)
      const before = await info(op, credentials)
      if (!before) throw refusalError('not_found')
      if (alreadyCovers(before.expiresAt, until, null)) return before
      await op.change(call('renew', { type: 'm3u', ...asked(credentials), sub: packageRef }), yes)
      const after = await info(op, credentials)
      if (!after || (after.expiresAt !== null && before.expiresAt !== null && after.expiresAt <= before.expiresAt))
        throw new PanelError('unreadable', 'The panel says yes, but the line ends as before.')
      return after
    },
    find: async (op, { lineRef, username = lineRef, password }) => {
      if (!username || password === undefined)
        throw refusalError('unsupported', 'This panel knows a line by user name and password only.')
      return info(op, { username, password })
    },
  }
}
