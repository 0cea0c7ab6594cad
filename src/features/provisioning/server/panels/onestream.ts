import { createHash } from 'node:crypto'
import { firstOf, isRecord, numberOf, rowsIn, textOf, wordsOf } from '#features/iptv/server/xtream/json-fields.ts'
import { limits } from '#server/limits.ts'
import type { PanelLine } from './adapter.ts'
import { segment } from './address.ts'
import { PanelTrouble } from './errors.ts'
import type { Heard, Operation } from './http.ts'
import type { Dialect } from './panel-client.ts'
import { refusalIn, refusalOfStatus, refused } from './refusals.ts'
import { lineIn, packageIn } from './rows.ts'

/** The request's number: the same wish always has the same one, and the panel does it once. */
const ridOf = (idempotencyKey: string): string => createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 20)
const idOf = (ref: string): number | string => (/^\d{1,15}$/.test(ref) ? Number(ref) : ref)

/** 1-Stream's API for billing: the only one that takes a number of the request and does it once. */
export function onestream(user: string, key: string): Dialect {
  const headers = { 'x-api-key': key, 'x-auth-user': user }
  const ask = (file: string, query?: Record<string, string>) => ({
    file: `ext/${file}`,
    headers,
    ...(query && { query }),
  })
  const tell = (file: string, json: object = {}) => ({ method: 'POST' as const, file: `ext/${file}`, headers, json })
  const answered = ({ status, json }: Heard): unknown => {
    const why = firstOf(json, 'error', 'message')
    if (status >= 400) throw refusalOfStatus(status, why)
    if (firstOf(json, 'error') !== undefined) throw refusalIn(why)
    return json
  }
  const record = (heard: Heard): Record<string, unknown> => {
    const json = answered(heard)
    if (!isRecord(json)) throw new PanelTrouble('unreadable', 'The panel gave an answer we cannot read.')
    return json
  }
  const rows = (heard: Heard): unknown[] => {
    const json = answered(heard)
    const found = rowsIn(json) ?? rowsIn(firstOf(json, 'data', 'lines', 'packages'))
    if (!found) throw new PanelTrouble('unreadable', 'The panel gave a list we cannot read.')
    return found
  }
  const lines = async (op: Operation): Promise<PanelLine[]> =>
    rows(await op.ask({ ...ask('lines'), bodyBytes: limits.panel.listBytes }))
      .map((row) => lineIn(row))
      .filter(({ lineRef }) => lineRef !== '')
  const known = async (op: Operation, lineRef: string): Promise<PanelLine> => {
    const found = (await lines(op)).find((line) => line.lineRef === lineRef)
    if (!found) throw refused('not_found')
    op.hide(found.password)
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
      const profile = record(await op.ask(ask('profile')))
      return { credits: numberOf(profile.credits), panel: wordsOf(profile.name) || null }
    },
    packages: async (op) =>
      rows(await op.ask(ask('packages')))
        .map(packageIn)
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
      return op.tell(tell('line/create', body), (heard) => {
        const line = lineIn(record(heard), sent)
        if (!line.lineRef) throw new PanelTrouble('unreadable', 'The panel made a line and did not say which.')
        return line
      })
    },
    extend: async (op, { idempotencyKey, lineRef, packageRef }) => {
      const before = await known(op, lineRef)
      const body = { rid: ridOf(idempotencyKey), ...(packageRef !== undefined && { package: idOf(packageRef) }) }
      return op.tell(tell(`line/${segment(lineRef)}/renew`, body), (heard) => ({
        ...lineIn(record(heard), before),
        lineRef,
        trial: false,
      }))
    },
    enable: async (op, lineRef, enabled) => {
      await op.tell(tell(`line/${segment(lineRef)}/${enabled ? 'enable' : 'disable'}`), answered)
      const line = await known(op, lineRef)
      if (line.enabled !== enabled)
        throw new PanelTrouble('unreadable', `The panel says yes, but the line is ${line.enabled ? 'on' : 'off'}.`)
      return line
    },
    terminate: async (op, lineRef) => {
      const line = await known(op, lineRef)
      await op.tell(tell(`line/${segment(lineRef)}/terminate`), answered)
      return { ...line, enabled: false }
    },
    find: async (op, { lineRef, username, password }) => {
      const isIt = (line: PanelLine) =>
        lineRef === undefined
          ? line.username === username &&
            (password === undefined || line.password === null || line.password === password)
          : line.lineRef === lineRef
      if (lineRef === undefined && textOf(username) === '') return null
      return (await lines(op)).find(isIt) ?? null
    },
  }
}
