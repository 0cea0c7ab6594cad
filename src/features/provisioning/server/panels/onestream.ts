import { createHash } from 'node:crypto'
import {
  asNumber,
  asRows,
  asSingleLine,
  asText,
  firstField,
  isRecord,
} from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import type { PanelAdapter } from './adapter.ts'
import { pathSegment } from './address.ts'
import { PanelError } from './errors.ts'
import type { PanelResponse, PanelSession } from './http.ts'
import type { PanelLine } from './port.ts'
import { refusalError, refusalFromStatus, refusalFromText } from './refusals.ts'
import { parseLine, parsePackage } from './rows.ts'

/** The request id for an idempotency key, always the same for the same key. The panel executes each id only once. */
const ridOf = (idempotencyKey: string): string => createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 20)
const idOf = (ref: string): number | string => (/^\d{1,15}$/.test(ref) ? Number(ref) : ref)

/** 1-Stream's billing API, the only panel API with idempotent requests. */
export function onestream(user: string, key: string): PanelAdapter {
  const headers = { 'x-api-key': key, 'x-auth-user': user }
  const get = (file: string, query?: Record<string, string>) => ({
    file: `ext/${file}`,
    headers,
    ...(query && { query }),
  })
  const post = (file: string, json: object = {}) => ({ method: 'POST' as const, file: `ext/${file}`, headers, json })
  const confirmed = ({ status, json }: PanelResponse): unknown => {
    const reason = firstField(json, 'error', 'message')
    if (status >= 400) throw refusalFromStatus(status, reason)
    if (firstField(json, 'error') !== undefined) throw refusalFromText(reason)
    return json
  }
  const recordOf = (response: PanelResponse): Record<string, unknown> => {
    const json = confirmed(response)
    if (!isRecord(json)) throw new PanelError('unreadable', 'The panel sent a response that cannot be read.')
    return json
  }
  const rowsOf = (response: PanelResponse): unknown[] => {
    const json = confirmed(response)
    const found = asRows(json) ?? asRows(firstField(json, 'data', 'lines', 'packages'))
    if (!found) throw new PanelError('unreadable', 'The panel sent a list that cannot be read.')
    return found
  }
  const lines = async (session: PanelSession): Promise<PanelLine[]> =>
    rowsOf(await session.query({ ...get('lines'), bodyBytes: limits.panel.listBytes }))
      .map((row) => parseLine(row))
      .filter(({ lineRef }) => lineRef !== '')
  const requireLine = async (session: PanelSession, lineRef: string): Promise<PanelLine> => {
    const found = (await lines(session)).find((line) => line.lineRef === lineRef)
    if (!found) throw refusalError('not_found')
    session.addSecret(found.password)
    return found
  }

  return {
    kind: 'onestream',
    can: { setConnections: false, idempotent: true },
    test: async (session) => {
      const profile = recordOf(await session.query(get('profile')))
      return { credits: asNumber(profile.credits), panel: asSingleLine(profile.name) || null }
    },
    packages: async (session) =>
      rowsOf(await session.query(get('packages')))
        .map(parsePackage)
        .filter(({ packageRef }) => packageRef !== ''),
    lines,
    create: async (session, newLine) => {
      const { username, password, connections, expiresAt } = newLine
      const body = {
        package: idOf(newLine.packageRef),
        rid: ridOf(newLine.idempotencyKey),
        username,
        password,
        max_connections: connections,
        reseller_notes: newLine.note,
      }
      const sent = {
        username,
        password,
        connections,
        expiresAt: expiresAt ?? null,
        trial: newLine.trialHours !== undefined,
      }
      return session.change(post('line/create', body), (response) => {
        const line = parseLine(recordOf(response), sent)
        if (!line.lineRef)
          throw new PanelError('unreadable', 'The panel created a line but did not report its reference.')
        return line
      })
    },
    extend: async (session, { idempotencyKey, lineRef, packageRef }) => {
      const before = await requireLine(session, lineRef)
      const body = { rid: ridOf(idempotencyKey), ...(packageRef !== undefined && { package: idOf(packageRef) }) }
      return session.change(post(`line/${pathSegment(lineRef)}/renew`, body), (response) => ({
        ...parseLine(recordOf(response), before),
        lineRef,
        trial: false,
      }))
    },
    enable: async (session, lineRef, enabled) => {
      await session.change(post(`line/${pathSegment(lineRef)}/${enabled ? 'enable' : 'disable'}`), confirmed)
      const line = await requireLine(session, lineRef)
      if (line.enabled !== enabled)
        throw new PanelError(
          'unreadable',
          `The panel confirmed the request, but the line is ${line.enabled ? 'enabled' : 'disabled'}.`,
        )
      return line
    },
    find: async (session, { lineRef, username, password }) => {
      const matches = (line: PanelLine) =>
        lineRef === undefined
          ? line.username === username &&
            (password === undefined || line.password === null || line.password === password)
          : line.lineRef === lineRef
      if (lineRef === undefined && asText(username) === '') return null
      return (await lines(session)).find(matches) ?? null
    },
  }
}
