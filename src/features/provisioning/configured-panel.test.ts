import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeSecret } from '#features/settings/server/secrets.ts'
import * as settings from '#features/settings/server/service.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { panelKey } from '../../../test/harness/fake-lines.ts'
import { type FakePanel, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { defaultProvisioning } from './rules.ts'
import { configuredPanel } from './server/panels/configured.ts'

let fake: FakePanel
let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  fake = await startFakePanel()
  app = await buildApp({ config: { panelAllowPrivate: true } })
  admin = await app.signInAdmin()
})
afterAll(async () => {
  await app.close()
  await fake.close()
})

test('a new installation has no panel until the settings choose one', async () => {
  expect(await configuredPanel(app.context)).toBeNull()
  const chosen = { ...defaultProvisioning, kind: 'xui-admin' as const, address: fake.lines.address }
  await app.db.transaction(async (tx) => {
    await settings.writeSetting(tx, 'provisioning', chosen, admin.user.id)
    await writeSecret(tx, app.context.config, 'provisioning-key', panelKey)
  })
  settings.clearCache()
  const panel = await configuredPanel(app.context)
  expect(await panel!.testConnection()).toEqual({ ok: true, credits: 0, panel: 'owner' })
  expect(await configuredPanel(app.context)).toBe(panel)
  const refusing = await configuredPanel({
    ...app.context,
    config: { ...app.context.config, panelAllowPrivate: false },
  })
  expect(await refusing!.testConnection()).toMatchObject({
    ok: false,
    refusal: 'unreachable',
    message: expect.stringContaining('private address'),
  })
})
