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

/** The payload of a response: some panels wrap it in a list, in `data`, or in `data.user`. */
function payloadOf(json: unknown): unknown {
  if (Array.isArray(json)) return payloadOf(json[0])
  const inner = ownField(json, 'data')
  return isRecord(inner) ? (ownField(inner, 'user') ?? inner) : json
}

/** The payload of a response that confirms the request. Throws `PanelError` for any other. */
function confirmed({ status, json }: PanelResponse): unknown {
  const row = Array.isArray(json) ? json[0] : json
  const reason = firstField(row, 'error', 'message', 'msg', 'mens')
  if (status >= 400) throw refusalFromStatus(status, reason)
  const result =
    asBoolean(firstField(row, 'status', 'success', 'result')) ??
    (/^(success|ok)$/i.test(asText(ownField(row, 'status'))) ? true : null)
  if (result === false || firstField(row, 'error') !== undefined) throw refusalFromText(reason)
  if (!isRecord(row) || result === null)
    throw new PanelError('unreadable', 'The panel sent a response that cannot be read.')
  return payloadOf(json)
}

/** The credentials in the playlist URL of a response. The URL itself is never requested. */
function credentialsInAddress(row: unknown): Partial<LineCredentials> {
  const address = URL.parse(asText(firstField(row, 'url', 'm3u_url', 'm3uUrl')))
  return address
    ? { username: address.searchParams.get('username') ?? '', password: address.searchParams.get('password') ?? '' }
    : {}
}

/**
 * The API that several reseller panels call "panel API": one URL for all calls, a key, and a package in the parameter `sub`. The panel may generate the
 * credentials itself. It identifies a line only by its credentials.
 */
export function panelApi(key: string, file: string): PanelAdapter {
  const call = (action: string, query: Record<string, string> = {}) => ({
    file,
    query: { action, ...query, api_key: key },
  })
  const fieldsOf = ({ username, password }: LineCredentials) => ({ username, password })
  const info = async (session: PanelSession, credentials: LineCredentials): Promise<PanelLine | null> => {
    const response = await session.query(call('client_info', fieldsOf(credentials)))
    try {
      const { status: _, ...row } = confirmed(response) as Record<string, unknown>
      return { ...parseLine(row, credentials), ...credentials, lineRef: credentials.username }
    } catch (error) {
      if (error instanceof PanelError && (error.refusal === 'not_found' || error.refusal === 'invalid')) return null
      throw error
    }
  }

  return {
    kind: 'panel-api',
    can: { setConnections: false, idempotent: false },
    test: async (session) => {
      const account = confirmed(await session.query(call('account_info')))
      return {
        credits: asNumber(firstField(account, 'credits', 'credit', 'balance')),
        panel: asSingleLine(firstField(account, 'username', 'name')) || null,
      }
    },
    create: async (session, newLine) => {
      const { username, password, packageRef, expiresAt } = newLine
      const fields = { type: 'm3u', sub: packageRef, username, password, notes: newLine.note }
      const line = await session.change(call('new', fields), (response) => {
        const row = confirmed(response)
        const parsed = parseLine(
          { ...(row as object), status: undefined },
          { expiresAt: expiresAt ?? null, trial: newLine.trialHours !== undefined },
        )
        const inAddress = credentialsInAddress(row)
        const found = {
          username: parsed.username || inAddress.username,
          password: parsed.password || inAddress.password,
        }
        session.addSecret(found.password ?? null)
        if (!found.username || !found.password)
          throw new PanelError('unreadable', 'The panel created a line but did not report its reference.')
        return { ...parsed, username: found.username, password: found.password, lineRef: found.username }
      })
      if (line.expiresAt !== (expiresAt ?? null)) return line
      // An expiry date that the panel reports takes precedence. Lines that are only seconds old are often not found yet.
      const known = await info(session, line).catch(() => null)
      return known ? { ...line, expiresAt: known.expiresAt ?? line.expiresAt } : line
    },
    extend: async (session, { packageRef, until, credentials }) => {
      if (!credentials) throw refusalError('invalid', 'This panel identifies a line by its password, which is unknown.')
      if (packageRef === undefined) throw refusalError('package', 'An extension needs a package.')
      session.addSecret(credentials.password)
      const before = await info(session, credentials)
      if (!before) throw refusalError('not_found')
      if (alreadyCovers(before.expiresAt, until, null)) return before
      await session.change(call('renew', { type: 'm3u', ...fieldsOf(credentials), sub: packageRef }), confirmed)
      const after = await info(session, credentials)
      if (!after || (after.expiresAt !== null && before.expiresAt !== null && after.expiresAt <= before.expiresAt))
        throw new PanelError('unreadable', 'The panel confirmed the extension, but the expiry date did not change.')
      return after
    },
    find: async (session, { lineRef, username = lineRef, password }) => {
      if (!username || password === undefined)
        throw refusalError('unsupported', 'This panel identifies a line by username and password only.')
      return info(session, { username, password })
    },
  }
}
