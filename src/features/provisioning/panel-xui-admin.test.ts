import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { panelKey } from '../../../test/harness/fake-lines.ts'
import { startFakePanel } from '../../../test/harness/fake-panel.ts'
import { openPanel } from './server/panels/open-panel.ts'
import type { LineResult, NewLine } from './server/panels/port.ts'

const fake = await startFakePanel()
afterAll(() => fake.close())
const { lines } = fake
const panelWith = (other: object = {}) =>
  openPanel(
    { kind: 'xui-admin', address: lines.address, username: '', key: panelKey, ca: '', allowPrivate: true, ...other },
    {},
  )!
const panel = panelWith()
beforeEach(() => {
  lines.heal()
  lines.rows.clear()
  lines.calls.length = 0
})

const until = '2027-01-31T23:18:21.000Z'
const later = '2027-02-28T23:18:21.000Z'
const newLine: NewLine = {
  idempotencyKey: 'invoice:1',
  username: 'amber7otter',
  password: 'Secret4Line9',
  packageRef: '7',
  connections: 3,
  expiresAt: until,
  note: 'ORD-ABC123',
}
const lineOf = (result: LineResult) => (result.outcome === 'done' ? result.line : expect.fail(JSON.stringify(result)))
const make = async (other: Partial<NewLine> = {}) => lineOf(await panel.createLine({ ...newLine, ...other }))

describe('a request is refused', () => {
  test('with a wrong key, and no message contains the key', async () => {
    const result = await panelWith({ key: 'another-key' }).createLine(newLine)
    expect(result).toMatchObject({ outcome: 'rejected', refusal: 'auth' })
    expect(JSON.stringify(result)).not.toContain('another-key')
  })

  test.each([
    ['of an unknown package', { packageRef: '99' }, 'package'],
    ['without an end', { expiresAt: undefined }, 'invalid'],
  ])('%s, before anything is created', async (_, other, refusal) => {
    expect(await panel.createLine({ ...newLine, ...(other as object) })).toMatchObject({ outcome: 'rejected', refusal })
    expect(lines.rows.size).toBe(0)
  })

  test('when the username is taken, and the refusal is reported unchanged', async () => {
    await make()
    expect(await panel.createLine(newLine)).toMatchObject({ outcome: 'rejected', refusal: 'exists' })
    expect(lines.rows.size).toBe(1)
  })

  test('for any change of a line that the panel does not have', async () => {
    const change = { idempotencyKey: 'k', lineRef: '9999' }
    for (const result of [
      panel.extendLine({ ...change, until }),
      panel.setConnections({ ...change, connections: 2 }),
      panel.setEnabled('9999', false),
    ])
      expect(await result).toMatchObject({ outcome: 'rejected', refusal: 'not_found' })
  })
})

describe('a line', () => {
  test('is created with the bouquets of its package and its expiry date, and found by reference and by credentials', async () => {
    const line = await make()
    expect(line).toEqual({
      lineRef: line.lineRef,
      username: newLine.username,
      password: newLine.password,
      expiresAt: until,
      enabled: true,
      connections: 3,
      trial: false,
    })
    expect(lines.rows.get(line.lineRef)).toMatchObject({
      bouquet: '[1,2]',
      allowed_outputs: '[1,2]',
      admin_notes: 'ORD-ABC123',
    })
    const { username, password, lineRef } = line
    for (const which of [{ lineRef }, { username, password: password! }, { username }])
      expect(await panel.getLine(which)).toEqual({ ok: true, line })
    for (const which of [{ lineRef: '9999' }, { username, password: 'another' }, { username: 'amber7' }])
      expect(await panel.getLine(which)).toEqual({ ok: true, line: null })
    expect(await panel.listLines()).toEqual({ ok: true, lines: [line] })
  })

  test('of a trial expires after the trial hours', async () => {
    const line = await make({
      packageRef: '20',
      expiresAt: undefined,
      trialHours: 24,
      connections: 1,
    } as Partial<NewLine>)
    expect(line).toMatchObject({ trial: true, connections: 1 })
    expect(Math.abs(Date.parse(line.expiresAt!) - Date.now() - 86_400_000)).toBeLessThan(10_000)
  })

  test('keeps all other fields in an extension, because the panel’s edit replaces the whole line', async () => {
    const { lineRef } = await make()
    const row = lines.rows.get(lineRef)!
    Object.assign(row, {
      bouquet: '[1,2,77]',
      allowed_ips: '["192.0.2.7"]',
      is_restreamer: '1',
      member_id: '12',
      reseller_notes: 'friend & co',
      max_connections: '5',
    })
    const before = { ...row }
    expect(
      lineOf(await panel.extendLine({ idempotencyKey: 'k', lineRef, packageRef: '7', until: later })),
    ).toMatchObject({ expiresAt: later, connections: 5 })
    expect(lines.rows.get(lineRef)).toEqual({ ...before, exp_date: String(Date.parse(later) / 1000) })
    expect(lineOf(await panel.setConnections({ idempotencyKey: 'k', lineRef, connections: 2 }))).toMatchObject({
      expiresAt: later,
      connections: 2,
    })
    expect(lines.rows.get(lineRef)).toEqual({
      ...before,
      exp_date: String(Date.parse(later) / 1000),
      max_connections: '2',
    })
  })

  test('without an expiry date gets none when its connections change', async () => {
    const { lineRef } = await make()
    lines.rows.get(lineRef)!.exp_date = null
    expect(lineOf(await panel.setConnections({ idempotencyKey: 'k', lineRef, connections: 4 }))).toMatchObject({
      expiresAt: null,
      connections: 4,
    })
  })

  test('that lost a field in an edit is not reported as changed', async () => {
    const { lineRef } = await make()
    const row = lines.rows.get(lineRef)!
    lines.fail(
      (response) => {
        row.bouquet = '[]'
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"STATUS_SUCCESS","data":{}}')
      },
      { action: 'edit_line', times: 1 },
    )
    expect(await panel.extendLine({ idempotencyKey: 'k', lineRef, until: later })).toMatchObject({
      outcome: 'unknown',
      message: expect.stringContaining('bouquet'),
    })
  })

  test('of a bought trial becomes a regular line with the content of its package', async () => {
    const { lineRef } = await make({ packageRef: '20', trialHours: 24, connections: 1 })
    expect(
      lineOf(await panel.extendLine({ idempotencyKey: 'k', lineRef, packageRef: '9', until: later })),
    ).toMatchObject({ trial: false, expiresAt: later })
    expect(lines.rows.get(lineRef)!.bouquet).toBe('[1,2,5]')
  })

  test('can be disabled and enabled', async () => {
    const { lineRef } = await make()
    expect(lineOf(await panel.setEnabled(lineRef, false))).toMatchObject({ enabled: false, expiresAt: until })
    expect(lineOf(await panel.setEnabled(lineRef, true))).toMatchObject({ enabled: true })
  })
})

test('thousands of lines are read page by page', async () => {
  for (let i = 0; i < 2_345; i++)
    lines.rows.set(`n${i}`, {
      id: `n${i}`,
      username: `person${i}`,
      password: 'x',
      exp_date: '1800000000',
      max_connections: '1',
    })
  const all = await panel.listLines()
  expect(all.ok && all.lines.length).toBe(2_345)
})

test('packages are listed with their connections, length and credits', async () => {
  expect(await panel.listPackages()).toMatchObject({
    ok: true,
    packages: [
      { packageRef: '7', name: 'Full, a month', connections: 2, hours: 730, credits: 10, trial: false },
      { packageRef: '8', hours: 2_190 },
      { packageRef: '9', connections: 4 },
      { packageRef: '20', name: 'Trial, a day', hours: 24, trial: true },
    ],
  })
})

test('there is no panel for manual provisioning, or without an address or a key', () => {
  for (const other of [{ kind: 'manual' }, { address: '' }, { key: '' }]) expect(panelWith(other)).toBeNull()
})
