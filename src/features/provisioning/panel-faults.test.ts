import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { panelKey } from '../../../test/harness/fake-lines.ts'
import { startFakePanel } from '../../../test/harness/fake-panel.ts'
import { faults, json } from '../../../test/harness/panel-modes.ts'
import { inDays, sampleLine } from '../../../test/harness/sample-line.ts'
import { openPanel } from './server/panels/open-panel.ts'

const fake = await startFakePanel()
afterAll(() => fake.close())
const { lines } = fake
const kinds = ['xui-admin', 'xui-reseller'] as const
const panelFor = (kind: (typeof kinds)[number], options: object = {}, { lines: { address: base } } = fake) => {
  const address = kind === 'xui-admin' ? base : `${base}/reseller/index.php`
  return openPanel({ kind, address, username: '', key: panelKey, ca: '', allowPrivate: true }, options)!
}
beforeEach(() => {
  lines.heal()
  lines.rows.clear()
  lines.credits = 1_000
  lines.calls.length = 0
})

const day = 86_400_000
const names = Object.keys(faults) as (keyof typeof faults)[]

describe.each(kinds)('%s', (kind) => {
  test.each(names)(
    'creating a line on a %s panel has an unknown outcome within the time limit, and follows no redirect',
    async (fault) => {
      const panel = panelFor(kind, { callMs: 250 })
      lines.fail(fault, { action: 'create_line' })
      const started = performance.now()
      const result = await panel.createLine(sampleLine)
      expect(performance.now() - started).toBeLessThan(1_000)
      expect(result).toEqual({ outcome: 'unknown', message: expect.stringMatching(/^(The|Something)/) })
      lines.heal()
      lines.fail(fault)
      const startedAt = performance.now()
      expect(await panel.getLine({ username: sampleLine.username })).toMatchObject({
        ok: false,
        refusal: expect.stringMatching(/^un(reachable|readable)$/),
      })
      expect(performance.now() - startedAt).toBeLessThan(1_000)
      expect(fake.canaryHits()).toBe(0)
      expect(JSON.stringify(result)).not.toContain(sampleLine.password)
    },
  )

  test('finds a line that was created although the response was lost, and creates no second line when the request is repeated', async () => {
    const panel = panelFor(kind)
    lines.fail('reset', { action: 'create_line', times: 1, acts: true })
    expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'unknown' })
    expect(await panel.getLine({ username: sampleLine.username, password: sampleLine.password })).toMatchObject({
      ok: true,
      line: { username: sampleLine.username, enabled: true },
    })
    expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'rejected', refusal: 'exists' })
    expect(lines.rows.size).toBe(1)
  })

  test('reports that nothing was sent if it is unreachable', async () => {
    const panel = panelFor(kind)
    await fake.stop()
    expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'unknown', nothingSent: true })
    await fake.start()
    expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'done' })
  })

  test('reports an unknown outcome when it confirms a change and then fails', async () => {
    const panel = panelFor(kind)
    const made = await panel.createLine(sampleLine)
    const lineRef = made.outcome === 'done' ? made.line.lineRef : expect.fail()
    lines.fail(json({ status: 'STATUS_FAILURE', error: 'Invalid API key.' }), { action: 'get_line' })
    const result = await panel.setEnabled(lineRef, false)
    expect(result).toMatchObject({ outcome: 'unknown' })
    expect(result).not.toHaveProperty('nothingSent')
  })

  test('repeats no secrets in its messages', async () => {
    const panel = panelFor(kind)
    lines.fail(
      json({
        status: 'STATUS_FAILURE',
        error: `Bad ${panelKey} or ${encodeURIComponent(sampleLine.password)} \u202e of ${sampleLine.password}`,
      }),
      {
        action: 'create_line',
      },
    )
    const responseText = JSON.stringify(await panel.createLine(sampleLine))
    expect(responseText).toContain('•••')
    for (const secret of [panelKey, encodeURIComponent(panelKey), sampleLine.password, '\u202e'])
      expect(responseText).not.toContain(secret)
  })

  test('is not called for 30 seconds after five failures; then one call is tried', async () => {
    let ms = 0
    const panel = panelFor(kind, { clock: () => ms })
    lines.fail('failing')
    for (let i = 0; i < 5; i++) await panel.testConnection()
    const before = lines.calls.length
    expect(await panel.testConnection()).toMatchObject({
      ok: false,
      refusal: 'unreachable',
      message: expect.stringContaining('No calls are made for 30 more seconds'),
    })
    expect(await panel.createLine(sampleLine)).toMatchObject({ outcome: 'unknown', nothingSent: true })
    expect(lines.calls).toHaveLength(before)
    ms += 30_000
    await panel.testConnection()
    expect(lines.calls).toHaveLength(before + 1)
    lines.heal()
    expect(await panel.testConnection()).toMatchObject({ ok: false })
    ms += 30_000
    expect(await panel.testConnection()).toMatchObject({ ok: true })
    expect(await panel.testConnection()).toMatchObject({ ok: true })
  })
})

test.concurrent.each(['silent', 'slow'] as const)(
  'a panel that is %s is abandoned after six seconds, however many calls an operation takes',
  async (fault) => {
    const own = await startFakePanel()
    own.lines.fail(fault)
    const started = performance.now()
    await Promise.all([
      panelFor('xui-admin', {}, own).createLine(sampleLine),
      panelFor('xui-reseller', {}, own).setEnabled('42', false),
      panelFor('xui-admin', {}, own).listLines(),
    ])
    expect(performance.now() - started).toBeLessThan(6_000)
    await own.close()
  },
)

describe('a reseller’s extension', () => {
  test('has the length and the price of the package, once: a lost response is not paid for again', async () => {
    const panel = panelFor('xui-reseller')
    const made = await panel.createLine(sampleLine)
    const line = made.outcome === 'done' ? made.line : expect.fail()
    expect(lines.credits).toBe(990)
    const change = { idempotencyKey: 'k', lineRef: line.lineRef, packageRef: '7', until: inDays(61) }
    lines.fail('silent', { action: 'edit_line', times: 1, acts: true })
    expect(await panelFor('xui-reseller', { callMs: 500 }).extendLine(change)).toMatchObject({ outcome: 'unknown' })
    expect(lines.credits).toBe(980)
    const again = await panel.extendLine(change)
    expect(again).toMatchObject({
      outcome: 'done',
      line: { expiresAt: new Date(Date.parse(line.expiresAt!) + 30 * day).toISOString() },
    })
    expect(lines.credits).toBe(980)
    expect(await panel.extendLine({ ...change, until: inDays(92) })).toMatchObject({ outcome: 'done' })
    expect(lines.credits).toBe(970)
  })

  test('is refused without a package, without credits and for more connections', async () => {
    const panel = panelFor('xui-reseller')
    const made = await panel.createLine(sampleLine)
    const { lineRef } = made.outcome === 'done' ? made.line : expect.fail()
    lines.credits = 0
    const change = { idempotencyKey: 'k', lineRef, until: inDays(61) }
    expect(await panel.extendLine(change)).toMatchObject({ outcome: 'rejected', refusal: 'package' })
    expect(await panel.extendLine({ ...change, packageRef: '7' })).toMatchObject({
      outcome: 'rejected',
      refusal: 'credits',
    })
    expect(await panel.setConnections({ ...change, connections: 4 })).toMatchObject({
      outcome: 'rejected',
      refusal: 'unsupported',
    })
  })
})
