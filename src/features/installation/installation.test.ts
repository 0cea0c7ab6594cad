import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog, installation, linePanel } from '#server/db/tables.ts'
import { claim, identityOf } from '#server/installation.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { getInstallation, goLive } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp({ config: { publicUrl: 'https://tv.example', secureCookies: true } })
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const restored = {
  place: null,
  address: null,
  liveSince: null,
  restoredAt: sql`now()`,
  otherAddress: null,
  otherOpenedAt: null,
}
beforeEach(() => app.db.update(installation).set({ ...restored, restoredAt: null }))
const own = () => identityOf(app.db, app.context.config)
const entries = () => app.db.select().from(auditLog).where(eq(auditLog.action, 'installation.go_live'))

test('the live installation reports for a day that another installation opened its database', async () => {
  await claim(app.db, await own())
  expect(await admin.client.call(getInstallation, {})).toMatchObject({ held: null, other: null })
  await claim(app.db, { place: 'server:elsewhere', address: 'copy.example' })
  expect(await admin.client.call(getInstallation, {})).toMatchObject({
    held: null,
    other: { address: 'copy.example', openedAt: expect.any(String) },
  })
  await app.db.update(installation).set({ otherOpenedAt: sql`now() - interval '25 hours'` })
  expect(await admin.client.call(getInstallation, {})).toMatchObject({ other: null })
})

test('a copy reports the address of the live installation', async () => {
  await claim(app.db, { place: 'server:elsewhere', address: 'live.example' })
  expect(await admin.client.call(getInstallation, {})).toMatchObject({
    held: 'place',
    liveAddress: 'live.example',
    restoredAt: null,
  })
  await app.db.update(installation).set({ place: (await own()).place })
  expect(await admin.client.call(getInstallation, {})).toMatchObject({ held: 'address', liveAddress: 'live.example' })
})

test('going live is audited once with its actor, requests a comparison of all lines, and does nothing the second time', async () => {
  await app.db.update(installation).set(restored)
  expect(await admin.client.call(getInstallation, {})).toMatchObject({
    held: 'restored',
    restoredAt: expect.any(String),
  })
  for (let times = 0; times < 2; times++)
    expect(await admin.client.call(goLive, {})).toMatchObject({
      held: null,
      restoredAt: null,
      waiting: { mails: 0, lineJobs: 0 },
    })
  expect(await entries()).toMatchObject([
    { actorId: admin.user.id, before: { held: 'restored' }, after: { held: null, address: 'tv.example' } },
  ])
  const [panel] = await app.db.select().from(linePanel)
  expect(panel?.checkAskedAt).not.toBeNull()
})
