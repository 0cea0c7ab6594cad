import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobs as passkeyJobs } from '#features/passkeys/server/jobs.ts'
import {
  adminRequests,
  loginPlaces,
  mailedTokens,
  passkeyChallenges,
  pendingLogins,
  sessions,
} from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { jobs } from './server/jobs.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

test('expired rows are deleted, valid rows are kept, and a second run deletes nothing', async () => {
  const { db } = app
  const hash = () => randomBytes(32)
  for (const expiresAt of ['2020-01-01T00:00:00.000Z', '2090-01-01T00:00:00.000Z']) {
    const { id: userId, email } = await createUser(db)
    await db.insert(sessions).values({ tokenHash: hash(), userId, expiresAt })
    await db.insert(mailedTokens).values({ tokenHash: hash(), userId, purpose: 'reset_password', email, expiresAt })
    await db.insert(pendingLogins).values({ tokenHash: hash(), userId, expiresAt })
    await db.insert(passkeyChallenges).values({ challengeHash: hash(), userId, expiresAt })
    await db.insert(adminRequests).values({
      action: 'promote',
      target: String(userId),
      digest: hash(),
      requestedBy: userId,
      requestedAt: expiresAt,
    })
    await db.insert(loginPlaces).values({ userId, place: hash(), lastSeenAt: expiresAt })
  }
  const all = [...jobs(db), ...passkeyJobs(db)]
  const run = () => Promise.all(all.map((job) => job.run()))
  expect(await run()).toEqual([5, 1])
  expect(await run()).toEqual([0, 0])
  for (const table of [sessions, mailedTokens, pendingLogins, passkeyChallenges, loginPlaces, adminRequests])
    expect(await db.$count(table)).toBe(1)
})
