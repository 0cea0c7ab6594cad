import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { panelKey, type RemotePanelType } from '../../../test/harness/fake-lines.ts'
import { apiUser } from '../../../test/harness/fake-lines-types.ts'
import { startFakePanel } from '../../../test/harness/fake-panel.ts'
import type { Fault } from '../../../test/harness/panel-modes.ts'
import { inDays, sampleLine } from '../../../test/harness/sample-line.ts'
import { sellsPeriods } from './rules.ts'
import { openPanel } from './server/panels/open-panel.ts'
import type { LineResult, ProvisioningPanel } from './server/panels/port.ts'

const fake = await startFakePanel()
afterAll(() => fake.close())
const { lines } = fake

const day = 86_400_000
const credentials = { username: sampleLine.username, password: sampleLine.password }

/** For each panel type: the names of its actions, an unknown package and the package for trials. */
const panelTypes: Record<
  RemotePanelType,
  { create: string; extend: string; disable?: string; noPackage?: string; trialPackage?: string }
> = {
  'xui-admin': { create: 'create_line', extend: 'edit_line', disable: 'disable_line' },
  'xui-reseller': { create: 'create_line', extend: 'edit_line', disable: 'disable_line', trialPackage: '20' },
  // This panel type accepts any bouquets.
  'xc-api': { create: 'user/create', extend: 'user/edit', disable: 'user/edit', noPackage: 'a,b' },
  onestream: { create: 'line/create', extend: 'line/renew', disable: 'line/disable', trialPackage: '20' },
  'panel-api': { create: 'new', extend: 'renew', trialPackage: '20' },
  ministra: { create: 'POST accounts', extend: 'PUT accounts', disable: 'PUT accounts' },
}
const kinds = Object.entries(panelTypes) as [RemotePanelType, (typeof panelTypes)[RemotePanelType]][]
const canDisable = (kind: RemotePanelType) => kind !== 'panel-api'
const panelFor = (kind: RemotePanelType, options: object = {}, key = panelKey) =>
  openPanel({ kind, address: lines.addressOf(kind), username: apiUser, key, ca: '', allowPrivate: true }, options)!
const made = (result: LineResult) => (result.outcome === 'done' ? result.line : expect.fail(JSON.stringify(result)))
const found = async (panel: ProvisioningPanel, which: object = credentials) => {
  const response = await panel.getLine(which)
  return response.ok ? response.line : expect.fail(JSON.stringify(response))
}
/** Ministra counts in days, and panels that sell periods count months differently. */
const expectNear = (kind: RemotePanelType, actual: string | null, until: string) =>
  expect(Math.abs(Date.parse(actual!) - Date.parse(until))).toBeLessThanOrEqual(
    kind === 'ministra' ? day : sellsPeriods(kind) ? 60_000 : 0,
  )

beforeEach(() => {
  lines.heal()
  lines.rows.clear()
  lines.responsesByRequestId.clear()
  lines.credits = 1_000
  lines.calls.length = 0
})

describe.each(kinds)('%s', (kind, { create, extend, disable, noPackage = '99', trialPackage = '7' }) => {
  test('accepts only its key, and reports its credits and packages', async () => {
    const { testConnection, listPackages } = panelFor(kind)
    expect(await testConnection()).toMatchObject({
      ok: true,
      credits: sellsPeriods(kind) ? 1_000 : kind === 'xui-admin' ? 0 : null,
    })
    const packages = await listPackages()
    if (kind === 'xc-api' || kind === 'panel-api') expect(packages).toMatchObject({ ok: false, refusal: 'unsupported' })
    else
      expect(packages).toMatchObject({
        ok: true,
        packages: expect.arrayContaining([expect.objectContaining({ packageRef: '7', name: 'Full, a month' })]),
      })
    const stranger = panelFor(kind, {}, 'another-key')
    expect(await stranger.testConnection()).toMatchObject({
      ok: false,
      refusal: 'auth',
      message: expect.stringContaining('does not accept the key'),
    })
    const refused = await stranger.createLine(sampleLine)
    expect(refused).toMatchObject({ outcome: 'rejected', refusal: 'auth' })
    expect(JSON.stringify(refused)).not.toContain('another-key')
    expect(lines.rows.size).toBe(0)
  })

  test('is reported as not found at a wrong path, and no line counts as missing', async () => {
    const panel = openPanel(
      {
        kind,
        address: `${new URL(lines.address).origin}/wrong`,
        username: apiUser,
        key: panelKey,
        ca: '',
        allowPrivate: true,
      },
      {},
    )!
    const wrongPath = {
      ok: false,
      refusal: 'unreachable',
      message: expect.stringContaining('not found at this address'),
    }
    expect(await panel.testConnection()).toMatchObject(wrongPath)
    if (kind !== 'xc-api' && kind !== 'panel-api') expect(await panel.listPackages()).toMatchObject(wrongPath)
    if (kind !== 'onestream' && kind !== 'ministra') {
      expect(await panel.getLine(credentials)).toMatchObject(wrongPath)
      expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'unknown', nothingSent: true })
    }
  })

  test('creates a line that is found by its reference, by its credentials and in the list', async () => {
    const panel = panelFor(kind)
    expect(await found(panel)).toBeNull()
    const line = made(await panel.createLine(sampleLine))
    expect(line).toMatchObject({ username: sampleLine.username, enabled: true, trial: false })
    expectNear(kind, line.expiresAt, sampleLine.expiresAt!)
    for (const which of [credentials, { lineRef: line.lineRef, ...credentials }]) {
      const seen = (await found(panel, which))!
      expect(seen).toMatchObject({ lineRef: line.lineRef, username: sampleLine.username, enabled: true })
      expectNear(kind, seen.expiresAt, sampleLine.expiresAt!)
      if (panel.can.setConnections) expect(seen.connections).toBe(2)
    }
    expect(await found(panel, { username: 'nobody', password: 'x' })).toBeNull()
    const all = await panel.listLines()
    if (kind === 'xc-api' || kind === 'panel-api') expect(all).toMatchObject({ ok: false, refusal: 'unsupported' })
    else expect(all).toMatchObject({ ok: true, lines: [{ lineRef: line.lineRef, username: sampleLine.username }] })
  })

  test('creates no second line with the same name, and executes an idempotent request once', async () => {
    const panel = panelFor(kind)
    const line = made(await panel.createLine(sampleLine))
    expect(await panel.createLine({ ...sampleLine, idempotencyKey: 'invoice:2:create' })).toMatchObject({
      outcome: 'rejected',
      refusal: 'exists',
    })
    const again = await panel.createLine(sampleLine)
    if (panel.can.idempotent) expect(made(again)).toMatchObject({ lineRef: line.lineRef })
    else expect(again).toMatchObject({ outcome: 'rejected', refusal: 'exists' })
    expect([...lines.rows.values()].map(({ username }) => username)).toEqual([sampleLine.username])
  })

  test('refuses an unknown package and a purchase beyond its credits, and creates nothing', async () => {
    const panel = panelFor(kind)
    expect(await panel.createLine({ ...sampleLine, packageRef: noPackage })).toMatchObject({
      outcome: 'rejected',
      refusal: 'package',
    })
    expect(lines.rows.size).toBe(0)
    if (!sellsPeriods(kind)) return
    lines.credits = 9
    expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'rejected', refusal: 'credits' })
    expect([lines.rows.size, lines.credits]).toEqual([0, 9])
  })

  test('extends a line to the end of the paid time, and does not buy the same extension again', async () => {
    const panel = panelFor(kind)
    const { lineRef } = made(await panel.createLine(sampleLine))
    const change = { idempotencyKey: 'invoice:2:extend', lineRef, packageRef: '7', until: inDays(60), credentials }
    const longer = made(await panel.extendLine(change))
    expectNear(kind, longer.expiresAt, change.until)
    expectNear(kind, (await found(panel, { lineRef, ...credentials }))!.expiresAt, change.until)
    const { credits } = lines
    expect(credits).toBe(sellsPeriods(kind) ? 980 : 1_000)
    expectNear(kind, made(await panel.extendLine(change)).expiresAt, change.until)
    expect(lines.credits).toBe(credits)
    expect(
      await panel.extendLine({ ...change, lineRef: 'nobody', credentials: { username: 'nobody', password: 'x' } }),
    ).toMatchObject({
      outcome: 'rejected',
      refusal: 'not_found',
    })
  })

  test('disables and enables a line and changes its connections where it can, and reports "unsupported" where it cannot', async () => {
    const panel = panelFor(kind)
    const { lineRef } = made(await panel.createLine(sampleLine))
    if (canDisable(kind))
      for (const enabled of [false, false, true, true]) {
        expect(made(await panel.setEnabled(lineRef, enabled, credentials))).toMatchObject({ lineRef, enabled })
        expect(await found(panel, { lineRef, ...credentials })).toMatchObject({
          enabled,
          username: sampleLine.username,
        })
      }
    else
      expect(await panel.setEnabled(lineRef, false, credentials)).toMatchObject({
        outcome: 'rejected',
        refusal: 'unsupported',
      })
    const more = await panel.setConnections({
      idempotencyKey: 'k',
      lineRef,
      connections: 4,
      packageRef: '9',
      credentials,
    })
    if (panel.can.setConnections) expect(made(more)).toMatchObject({ lineRef, connections: 4 })
    else expect(more).toMatchObject({ outcome: 'rejected', refusal: 'unsupported' })
    expectNear(kind, (await found(panel, { lineRef, ...credentials }))!.expiresAt, sampleLine.expiresAt!)
  })

  test('creates a trial of one day, and a bought trial keeps its credentials', async () => {
    const panel = panelFor(kind)
    const trial = made(
      await panel.createLine({ ...sampleLine, packageRef: trialPackage, trialHours: 24, expiresAt: inDays(1) }),
    )
    expect(trial.trial).toBe(true)
    expect(Date.parse(trial.expiresAt!)).toBeLessThan(
      Date.now() + (trialPackage === '20' || !sellsPeriods(kind) ? 2.1 : 31) * day,
    )
    const bought = made(
      await panel.extendLine({
        idempotencyKey: 'k',
        lineRef: trial.lineRef,
        packageRef: '7',
        until: inDays(30),
        credentials,
      }),
    )
    expect(bought).toMatchObject({ lineRef: trial.lineRef, username: sampleLine.username })
    expect(Date.parse(bought.expiresAt!)).toBeGreaterThan(Date.now() + 29 * day)
    expect([...lines.rows.values()]).toMatchObject([credentials])
  })

  test.each(['failing', 'html', 'reset', 'silent', 'redirect'] as Fault[])(
    'has an unknown outcome after a response that is %s, until the line is read, and creates at most one line',
    async (fault) => {
      const panel = panelFor(kind, { callMs: 300 })
      for (const acts of [true, false]) {
        lines.rows.clear()
        lines.responsesByRequestId.clear()
        lines.fail(fault, { action: create, acts })
        const result = await panel.createLine(sampleLine)
        expect(result).toMatchObject({ outcome: 'unknown' })
        expect(result).not.toHaveProperty('nothingSent')
        lines.heal()
        const seen = await found(panelFor(kind))
        if (acts) expect(seen).toMatchObject({ username: sampleLine.username, enabled: true })
        else expect(seen).toBeNull()
        expect(lines.rows.size).toBe(acts ? 1 : 0)
      }
      expect(fake.canaryHits()).toBe(0)
    },
  )

  test('has unknown outcomes after lost responses, until the line is read, and charges an extension once', async () => {
    const panel = panelFor(kind)
    const { lineRef } = made(await panel.createLine(sampleLine))
    const change = { idempotencyKey: 'invoice:2:extend', lineRef, packageRef: '7', until: inDays(60), credentials }
    lines.fail('reset', { action: extend, acts: true, times: 1 })
    expect(await panel.extendLine(change)).toMatchObject({ outcome: 'unknown' })
    expectNear(kind, (await found(panel, { lineRef, ...credentials }))!.expiresAt, change.until)
    expectNear(kind, made(await panel.extendLine(change)).expiresAt, change.until)
    expect(lines.credits).toBe(sellsPeriods(kind) ? 980 : 1_000)
    if (!disable) return
    lines.fail('reset', { action: disable, acts: true, times: 1 })
    expect(await panel.setEnabled(lineRef, false, credentials)).toMatchObject({ outcome: 'unknown' })
    expect(await found(panel, { lineRef, ...credentials })).toMatchObject({ enabled: false })
  })

  test('reports that nothing was sent if it is unreachable', async () => {
    const panel = panelFor(kind)
    await fake.stop()
    const results = [await panel.createLine(sampleLine), await panel.setEnabled('1', false, credentials)]
    await fake.start()
    expect(results).toMatchObject([
      { outcome: 'unknown', nothingSent: true },
      canDisable(kind) ? { outcome: 'unknown', nothingSent: true } : { outcome: 'rejected' },
    ])
    expect(made(await panel.createLine(sampleLine))).toMatchObject({ username: sampleLine.username })
  })
})
