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

/** The request's number: the same wish always has the same one, and the panel does it once. */
const ridOf = (idempotencyKey: string): string => createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 20)
const idOf = (ref: string): number | string => (/^\d{1,15}$/.test(ref) ? Number(ref) : ref)

/** 1-Stream's API for billing: the only one that takes a number of the request and does it once. */
export function onestream(user: string, key: string): PanelAdapter {
  const headers = { 'x-api-key': key, 'x-auth-user': user }
  const ask = (file: string, query?: Record<string, string>) => ({
    file: `ext/${file}`,
    headers,
    ...(query && { query }),
  })
  const tell = (file: string, json: object = {}) => ({ method: 'POST' as const, file: `ext/${file}`, headers, json })
  const answered = ({ status, json }: PanelResponse): unknown => {
    const why = firstField(json, 'error', 'message')
    if (status >= 400) throw refusalFromStatus(status, why)
    if (firstField(json, 'error') !== undefined) throw refusalFromText(why)
    return json
  }
  const record = (heard: PanelResponse): Record<string, unknown> => {
    const json = answered(heard)
    if (!isRecord(json)) throw new PanelError('unreadable', 'The panel gave an answer we cannot read.')
    return json
  }
  const rows = (heard: PanelResponse): unknown[] => {
    const json = answered(heard)
    const found = asRows(json) ?? asRows(firstField(json, 'data', 'lines', 'packages'))
    if (!found) throw new PanelError('unreadable', 'The panel gave a list we cannot read.')
    return found
  }
  const lines = async (op: PanelSession): Promise<PanelLine[]> =>
    rows(await op.query({ ...ask('lines'), bodyBytes: limits.panel.listBytes }))
      .map((row) => parseLine(row))
      .filter(({ lineRef }) => lineRef !== '')
  const known = async (op: PanelSession, lineRef: string): Promise<PanelLine> => {
    const found = (await lines(op)).find((line) => line.lineRef === lineRef)
    if (!found) throw refusalError('not_found')
    op.addSecret(found.password)
    return found
  }

  return {
    kind: 'onestream',
    can: {
      trial: true,
      extend: true,
      suspend: true,
      terminate: true,
      setConnections: false,
      credits: true,
      idempotent: true,
    },
    test: async (op) => {
      const profile = record(await op.query(ask('profile')))
      return { credits: asNumber(profile.credits), panel: asSingleLine(profile.name) || null }
    },
    packages: async (op) =>
      rows(await op.query(ask('packages')))
        .map(parsePackage)
        .filter(({ packageRef }) => packageRef !== ''),
    lines,
    create: async (op, made) => {
      const { username, password, connections, expiresAt } = made
      const body = {
        package: idOf(made.packageRef),
        rid: ridOf(made.idempotencyKey),
        username,
        password,
        max_connections: connections,
        reseller_notes: made.note,
      }
      const sent = {
        username,
        password,
        connections,
        expiresAt: expiresAt ?? null,
        trial: made.trialHours !== undefined,
      }
      return op.change(tell('line/create', body), (heard) => {
        const line = parseLine(record(heard), sent)
        if (!line.lineRef) throw new PanelError('unreadable', 'The panel made a line and did not say which.')
        return line
      })
    },
    extend: async (op, { idempotencyKey, lineRef, packageRef }) => {
      const before = await known(op, lineRef)
      const body = { rid: ridOf(idempotencyKey), ...(packageRef !== undefined && { package: idOf(packageRef) }) }
      return op.change(tell(`line/${pathSegment(lineRef)}/renew`, body), (heard) => ({
        ...parseLine(record(heard), before),
        lineRef,
        trial: false,
      }))
    },
    enable: async (op, lineRef, enabled) => {
      await op.change(tell(`line/${pathSegment(lineRef)}/${enabled ? 'enable' : 'disable'}`), answered)
      const line = await known(op, lineRef)
      if (line.enabled !== enabled)
        throw new PanelError('unreadable', `The panel says yes, but the line is ${line.enabled ? 'on' : 'off'}.`)
      return line
    },
    terminate: async (op, lineRef) => {
      const line = await known(op, lineRef)
      await op.change(tell(`line/${pathSegment(lineRef)}/terminate`), answered)
      return { ...line, enabled: false }
    },
    find: async (op, { lineRef, username, password }) => {
      const isIt = (line: PanelLine) =>
        lineRef === undefined
          ? line.username === username &&
            (password === undefined || line.password === null || line.password === password)
          : line.lineRef === lineRef
      if (lineRef === undefined && asText(username) === '') return null
      return (await lines(op)).find(isIt) ?? null
    },
  }
}
