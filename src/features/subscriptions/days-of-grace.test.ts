import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import { lines, mails, users } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createUser } from '../../../test/harness/factories.ts'
import { expireSubscriptions } from './server/service/expire-subscriptions.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

const day = 86_400_000
async function ended({
  line,
  grace,
}: {
  line?: { wantedEnabled: boolean; panelEnabled: boolean | null }
  grace: number
}) {
  const admin = await createUser(app.db, { role: 'admin' })
  await app.db.transaction((tx) =>
    settings.writeSetting(tx, 'provisioning', { ...defaults.provisioning, graceDays: grace }, admin.id),
  )
  settings.clearCache()
  const subscriptionEndDate = new Date(Date.now() - 60_000).toISOString()
  const subscriptionStartDate = new Date(Date.now() - 30 * day).toISOString()
  const user = await createUser(app.db, {
    planId: (await createPlan(app.db)).id,
    subscriptionStatus: 'active',
    subscriptionStartDate,
    subscriptionEndDate,
  })
  if (line)
    await app.db
      .insert(lines)
      .values({ userId: user.id, ...line, wantedUntil: subscriptionEndDate, wantedConnections: 1 })
  await expireSubscriptions(app.db)
  const [after] = await app.db.select().from(users).where(eq(users.id, user.id))
  expect(after!.subscriptionStatus).toBe('expired')
  const [mail] = await app.db.select().from(mails).where(eq(mails.userId, user.id))
  return { worksUntil: mail!.data.worksUntil, end: subscriptionEndDate }
}
const working = { wantedEnabled: true, panelEnabled: true }

test('without a working line or without grace days, the expiry email contains no end of the grace days', async () => {
  expect((await ended({ grace: 3 })).worksUntil).toBeNull()
  expect((await ended({ grace: 3, line: { wantedEnabled: true, panelEnabled: false } })).worksUntil).toBeNull()
  expect((await ended({ grace: 3, line: { wantedEnabled: false, panelEnabled: true } })).worksUntil).toBeNull()
  expect((await ended({ grace: 0, line: working })).worksUntil).toBeNull()
})

test('with a working line, the subscription expires on time and the expiry email contains the end of the grace days', async () => {
  const { worksUntil, end } = await ended({ grace: 3, line: working })
  expect(worksUntil).toBe(new Date(Date.parse(end) + 3 * day).toISOString())
})
