import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { panelKey, type SpokenKind } from '../../../test/harness/fake-lines.ts'
import { makeUser } from '../../../test/harness/fake-lines-makes.ts'
import { type FakePanel, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../../test/harness/line-desk.ts'
import { sellsPeriods } from './rules.ts'
import type { ProvisioningConfig } from './server/config.ts'
import { openPanel } from './server/panels/open-panel.ts'

let desk: ProvisioningWorld
let fake: FakePanel
beforeAll(async () => {
  fake = await startFakePanel()
  desk = await provisioningWorld()
})
afterAll(async () => {
  await desk.app.close()
  await fake.close()
})
beforeEach(async () => {
  await desk.reset()
  fake.lines.heal()
  fake.lines.rows.clear()
  fake.lines.answered.clear()
  fake.lines.credits = 1_000
})

const termsOf = (kind: SpokenKind): ProvisioningConfig => {
  const panel = openPanel(
    { kind, address: fake.lines.addressOf(kind), username: makeUser, key: panelKey, ca: '', allowPrivate: true },
    {},
  )!
  return desk.terms({
    panel,
    panelId: kind,
    packages: { [desk.plan.id]: '7', [desk.double.id]: '7' },
    trialPackage: '7',
  })
}
const creates = {
  'xui-admin': 'create_line',
  'xui-reseller': 'create_line',
  'xc-api': 'user/create',
  onestream: 'line/create',
  'panel-api': 'new',
  ministra: 'POST accounts',
} as const
const day = 86_400_000

describe.each(Object.keys(creates) as SpokenKind[])('what is paid for, on %s', (kind) => {
  test('is made, extended, switched off when it is undone and on again, always one line and one call at a time', async () => {
    const terms = termsOf(kind)
    const { id } = await desk.buyer()
    await desk.pay(id)
    await desk.run(terms)
    const row = () => [...fake.lines.rows.values()]
    const [made] = row()
    expect(row()).toHaveLength(1)
    expect(await desk.userOf(id)).toMatchObject({ iptvUsername: made!.username, iptvSynced: true })
    const second = await desk.pay(id)
    await desk.run(terms)
    const { subscriptionEndDate } = await desk.userOf(id)
    const slack = sellsPeriods(kind) ? 15 : 4.1
    expect(Math.abs(Number(row()[0]!.exp_date) * 1_000 - Date.parse(subscriptionEndDate!))).toBeLessThan(slack * day)
    expect(await desk.statesOf(id)).toEqual(['done', 'done'])
    expect(fake.lines.credits).toBe(sellsPeriods(kind) ? 980 : 1_000)

    const [first] = await desk.jobsOf(id)
    for (const invoice of [second, first!.invoiceId!]) await desk.decide(invoice, 'cancelled')
    await desk.run(terms)
    const states = await desk.statesOf(id)
    if (kind !== 'panel-api') expect([row()[0]!.enabled, new Set(states)]).toEqual(['0', new Set(['done'])])
    // This panel cannot disable a line, so an administrator has to.
    else expect(states).toContain('rejected rejected')
    await desk.pay(id)
    await desk.run(terms)
    expect(row()).toMatchObject([{ username: made!.username, password: made!.password, enabled: '1' }])
    expect(fake.lines.mostAtOnce).toBe(1)
  })

  test('and whose answer got lost is settled by asking: one line, paid for once', async () => {
    const terms = termsOf(kind)
    const { id } = await desk.buyer()
    await desk.pay(id)
    fake.lines.fail('reset', { action: creates[kind], acts: true, times: 1 })
    await desk.run(terms)
    expect(await desk.statesOf(id)).toEqual(['unknown'])
    await desk.later()
    await desk.run(terms)
    expect(await desk.statesOf(id)).toEqual(['done'])
    expect(fake.lines.rows.size).toBe(1)
    expect(fake.lines.credits).toBe(sellsPeriods(kind) ? 990 : 1_000)
    expect((await desk.lineOf(id))!.lineRef).not.toBeNull()
  })
})
