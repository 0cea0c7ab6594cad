import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { openPanel } from './server/panels/open-panel.ts'
import type { LineResult, NewLine, ProvisioningPanel } from './server/panels/port.ts'

const folder = join(import.meta.dirname, '../../../test/xtream')
type Expected = {
  created?: boolean
  reason?: string
  class?: string
  expiresAt?: number | string
  count?: number
  maxConnections?: number
  expire?: boolean
}
type Fixture = { status: number; body?: unknown; bodyText?: string; expect: Expected }
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture

let currentFixture: Fixture
/** Responses to the calls that are made before the call that the fixture covers. */
let earlierResponses: Record<string, unknown> = {}
const server = createServer(async (request, response) => {
  const requestText = `${request.url} ${await text(request)}`
  const other = Object.entries(earlierResponses).find(([part]) => requestText.includes(part))
  const body = other ? JSON.stringify(other[1]) : (currentFixture.bodyText ?? JSON.stringify(currentFixture.body))
  response.writeHead(other ? 200 : currentFixture.status, { 'content-type': 'application/json' }).end(body)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())

const line: NewLine = {
  idempotencyKey: 'invoice:1',
  username: 'newuser',
  password: 'newpass',
  packageRef: '7',
  connections: 2,
  expiresAt: '2027-01-15T08:00:00.000Z',
  note: 'ORD-ABC123',
}
const change = {
  idempotencyKey: 'k',
  lineRef: 'fixline1',
  packageRef: '30',
  until: '2026-12-21T23:18:20.691Z',
  credentials: { username: 'fixline1', password: 'p' },
}
type Row = {
  kind: ProvisioningPanel['kind']
  ask?: (panel: ProvisioningPanel) => Promise<object>
  earlierResponses?: Record<string, unknown>
}
const packages = {
  'action=get_packages': [{ id: '7', package_name: 'Full', bouquets: '[1,2]', output_formats: '[1,2]' }],
}
const trial = (panel: ProvisioningPanel) => panel.createLine({ ...line, trialHours: 24 })
/** The panel type and the operation for each fixture; without `ask` a line is created. `panel-api` also covers reseller APIs with the same responses. */
const rows: Record<string, Row> = {
  'prov-1stream-create-ok.json': { kind: 'onestream' },
  'prov-1stream-lines.json': { kind: 'onestream', ask: (panel) => panel.listLines() },
  'prov-midnight-exists.json': { kind: 'xc-api' },
  'prov-midnight-ok.json': { kind: 'xc-api' },
  'prov-ministra-401.json': { kind: 'ministra' },
  'prov-ministra-ok.json': { kind: 'ministra' },
  'prov-panel-api-client-info.json': {
    kind: 'panel-api',
    ask: (panel) => panel.getLine({ username: 'newuser', password: 'newpass' }),
  },
  'prov-panel-api-new.json': { kind: 'panel-api' },
  'prov-pulsar-bad-key.json': { kind: 'panel-api', ask: (panel) => panel.testConnection() },
  'prov-pulsar-create-ok.json': { kind: 'panel-api' },
  'prov-pulsar-duplicate.json': { kind: 'panel-api' },
  'prov-pulsar-extend.json': {
    kind: 'panel-api',
    ask: (panel) => panel.extendLine({ ...change, until: '2026-12-01T00:00:00.000Z' }),
  },
  'prov-xc-create-exists.json': { kind: 'xc-api' },
  'prov-xc-create-ok.json': { kind: 'xc-api' },
  'prov-xc-user-info-doc.json': { kind: 'xc-api', ask: (panel) => panel.getLine({ lineRef: 'demo' }) },
  'prov-xui-admin-bad-action.json': { kind: 'xui-admin', earlierResponses: packages },
  'prov-xui-admin-bad-date.json': { kind: 'xui-admin', earlierResponses: packages },
  'prov-xui-admin-bad-key.json': { kind: 'xui-admin' },
  'prov-xui-admin-create-ok.json': { kind: 'xui-admin', earlierResponses: packages },
  'prov-xui-reseller-exists-username.json': { kind: 'xui-reseller' },
  'prov-xui-reseller-insufficient-credits.json': { kind: 'xui-reseller' },
  'prov-xui-reseller-invalid-package.json': { kind: 'xui-reseller' },
  'prov-xui-reseller-no-trials.json': { kind: 'xui-reseller', ask: trial },
  'prov-xui-reseller-trial-ok.json': { kind: 'xui-reseller', ask: trial },
}

test('every table row has a fixture', () => {
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(Object.keys(rows)))
})

test.each(readdirSync(folder).filter((name) => name.startsWith('prov-')))('%s is parsed as expected', async (name) => {
  const row = rows[name]
  expect(row, 'a row of the table above').toBeDefined()
  const { kind, ask = (panel: ProvisioningPanel) => panel.createLine(line) } = row!
  currentFixture = read(name)
  earlierResponses = row!.earlierResponses ?? {}
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const panel = openPanel({ kind, address, username: 'operator', key: 'key-canary', ca: '', allowPrivate: true }, {})!
  const result = (await ask(panel)) as Partial<LineResult> & {
    line?: { connections: number | null; expiresAt: string | null; password: string | null }
    lines?: []
  }
  const expected = currentFixture.expect
  if (expected.created)
    expect(result).toMatchObject({
      outcome: 'done',
      line: { lineRef: expect.stringMatching(/./), username: expect.stringMatching(/./) },
    })
  if (expected.created === false) expect(result).toMatchObject({ outcome: 'rejected' })
  if (expected.reason) expect(result).toMatchObject({ refusal: expected.reason })
  if (expected.class)
    expect(result).toMatchObject({
      refusal: expected.class.startsWith('ambiguous')
        ? 'exists'
        : expect.stringMatching(/^(credits|package|no_trials)$/),
    })
  if (expected.expiresAt)
    expect(result.line!.expiresAt).toBe(
      new Date(typeof expected.expiresAt === 'number' ? expected.expiresAt * 1000 : expected.expiresAt).toISOString(),
    )
  if (expected.count !== undefined) expect(result.lines).toHaveLength(expected.count)
  if (expected.maxConnections) expect(result.line!.connections).toBe(expected.maxConnections)
  if (expected.expire) expect(result.line!.expiresAt).toBe('2026-12-20T23:18:21.000Z')
  expect(Object.keys(expected).length).toBeGreaterThan(0)
  expect(JSON.stringify(result)).not.toContain('key-canary')
})
