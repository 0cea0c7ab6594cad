import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { panelKey, type RemotePanelType } from '../../../test/harness/fake-lines.ts'
import { apiUser } from '../../../test/harness/fake-lines-types.ts'
import { type FakePanel, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { type ProvisioningWorld, provisioningWorld } from '../../../test/harness/provisioning-world.ts'
import { sellsPeriods } from './rules.ts'
import type { ProvisioningConfig } from './server/config.ts'
import { openPanel } from './server/panels/open-panel.ts'

let world: ProvisioningWorld
let fake: FakePanel
beforeAll(async () => {
  fake = await startFakePanel()
  world = await provisioningWorld()
})
afterAll(async () => {
  await world.app.close()
  await fake.close()
})
beforeEach(async () => {
  await world.reset()
  fake.lines.heal()
  fake.lines.rows.clear()
  fake.lines.responsesByRequestId.clear()
  fake.lines.credits = 1_000
})

const configFor = (kind: RemotePanelType): ProvisioningConfig => {
  const panel = openPanel(
    { kind, address: fake.lines.addressOf(kind), username: apiUser, key: panelKey, ca: '', allowPrivate: true },
    {},
  )!
  return world.config({
    panel,
    id: 1,
    panelId: kind,
    packages: { [world.plan.id]: '7', [world.double.id]: '7' },
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

describe.each(Object.keys(creates) as RemotePanelType[])('a paid subscription on %s', (kind) => {
  test('creates one line, extends it, disables it when the payments are undone and enables it again, one call at a time', async () => {
    const config = configFor(kind)
    const { id } = await world.buyer()
    await world.pay(id)
    await world.run(config)
    const row = () => [...fake.lines.rows.values()]
    const [made] = row()
    expect(row()).toHaveLength(1)
    expect(await world.userOf(id)).toMatchObject({ iptvUsername: made!.username, iptvSynced: true })
    const second = await world.pay(id)
    await world.run(config)
    const { subscriptionEndDate } = await world.userOf(id)
    const slack = sellsPeriods(kind) ? 15 : 4.1
    expect(Math.abs(Number(row()[0]!.exp_date) * 1_000 - Date.parse(subscriptionEndDate!))).toBeLessThan(slack * day)
    expect(await world.statesOf(id)).toEqual(['done', 'done'])
    expect(fake.lines.credits).toBe(sellsPeriods(kind) ? 980 : 1_000)

    const [first] = await world.jobsOf(id)
    for (const invoice of [second, first!.invoiceId!]) await world.decide(invoice, 'cancelled')
    await world.run(config)
    const states = await world.statesOf(id)
    if (kind !== 'panel-api') expect([row()[0]!.enabled, new Set(states)]).toEqual(['0', new Set(['done'])])
    // This panel cannot disable a line, so an administrator has to.
    else expect(states).toContain('rejected rejected')
    await world.pay(id)
    await world.run(config)
    expect(row()).toMatchObject([{ username: made!.username, password: made!.password, enabled: '1' }])
    expect(fake.lines.mostAtOnce).toBe(1)
  })

  test('resolves a lost response by reading the line: one line, paid for once', async () => {
    const config = configFor(kind)
    const { id } = await world.buyer()
    await world.pay(id)
    fake.lines.fail('reset', { action: creates[kind], acts: true, times: 1 })
    await world.run(config)
    expect(await world.statesOf(id)).toEqual(['unknown'])
    await world.makeJobsDue()
    await world.run(config)
    expect(await world.statesOf(id)).toEqual(['done'])
    expect(fake.lines.rows.size).toBe(1)
    expect(fake.lines.credits).toBe(sellsPeriods(kind) ? 990 : 1_000)
    expect((await world.lineOf(id))!.lineRef).not.toBeNull()
  })
})
