import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog, reports, sessions, trialRequests, users } from '#server/db/tables.ts'
import { insertApiKey } from '../harness/api-keys.ts'
import { password } from '../harness/factories.ts'
import { type HttpResult, httpUser } from '../harness/http-user.ts'
import {
  countByStatus,
  orderSteps,
  type RaceUser,
  raceRounds,
  raceTimeoutMs,
  repeatRace,
  startTwoApps,
  statuses,
  type TwoApps,
} from '../harness/two-apps.ts'

// Races of fifty concurrent requests about accounts, roles, sessions and trials, at two processes on one database.
let apps: TwoApps
let admin: RaceUser
beforeAll(async () => {
  apps = await startTwoApps()
  admin = await apps.newUser({ role: 'admin' })
}, 120_000)
afterAll(() => apps.stop(), 60_000)

/** Sends fifty concurrent requests, `last` at a random position among them. Expects `count` to stay the same after the response to `last`. */
async function expectNoWriteAfter(
  last: () => Promise<HttpResult>,
  write: (url: string, index: number) => Promise<HttpResult>,
  count: () => Promise<number>,
) {
  const position = Math.floor(Math.random() * 40)
  let counted = -1
  const answers = await apps.sendFifty(async (url, index) => {
    if (index !== position) return write(url, index)
    const result = await last()
    expect(result.status).toBe(200)
    counted = await count()
    return result
  })
  expect(await count()).toBe(counted)
  return answers
}

/** Adds a cent to the credit of a customer with an API key. Repeats the request up to 20 times while the app responds 503. */
async function addCent(url: string, key: string, userId: number): Promise<HttpResult> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/api/admin/users/${userId}/credit`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 1, reason: 'A cent' }),
    })
    const body = (await response.json()) as HttpResult['body']
    if (response.status !== 503 || attempt === 20) return { status: response.status, body }
    await sleep(200 + Math.random() * 300)
  }
}

// Fifty password hashes are computed one after another.
const hashingTimeoutMs = 45_000
const report = { contentType: 'channel', contentName: 'Arena One', issue: 'buffering', description: '' }

test(
  'R7: only one trial request is created',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const body = { device: 'Fire TV Stick', message: 'I would like to check the picture quality first' }
      expect(
        countByStatus(await apps.sendFifty((url) => buyer.sendWithRetry(url, 'POST', '/api/trial-requests', body))),
      ).toEqual({
        200: 1,
        409: 49,
      })
      expect(await apps.db.$count(trialRequests, eq(trialRequests.userId, buyer.id))).toBe(1)
    })
  },
  raceTimeoutMs(),
)

test(
  'R8: when the last two administrators demote each other, one remains',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      await apps.db.update(users).set({ role: 'user' })
      const pair = [await apps.newUser({ role: 'admin' }), await apps.newUser({ role: 'admin' })] as const
      const answers = await apps.sendFifty((url, i) =>
        pair[i % 2]!.sendWithRetry(url, 'PUT', `/api/admin/users/${pair[1 - (i % 2)]!.id}/role`, { role: 'user' }),
      )
      expect(statuses(answers).filter((status) => ![200, 403].includes(status))).toEqual([])
      expect(await apps.db.$count(users, eq(users.role, 'admin'))).toBe(1)
      await apps.db.update(users).set({ role: 'admin' }).where(eq(users.id, admin.id))
    })
  },
  raceTimeoutMs(),
)

test(
  'R8: an administrator writes nothing after the response to their demotion',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const demoted = await apps.newUser({ role: 'admin' })
      const buyer = await apps.newUser()
      const trade = orderSteps(apps)
      const { id } = await trade.submitted(buyer)
      await expectNoWriteAfter(
        () => admin.sendWithRetry(apps.at(0), 'PUT', `/api/admin/users/${demoted.id}/role`, { role: 'user' }),
        (url, i) =>
          i % 2
            ? demoted.sendWithRetry(url, 'POST', `/api/admin/users/${buyer.id}/credit`, { amount: 1, reason: 'A cent' })
            : trade.decide(demoted, url, id, i % 4 ? 'paid' : 'cancelled'),
        () => apps.db.$count(auditLog, eq(auditLog.actorId, demoted.id)),
      )
    })
  },
  raceTimeoutMs(),
)

test(
  'R8: a program writes nothing after the response to the revocation of its key',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const owner = await apps.newUser({ role: 'admin' })
      const buyer = await apps.newUser()
      const { id, key } = await insertApiKey({ database: apps }, owner.id, ['credit.edit'])
      const answers = await expectNoWriteAfter(
        () =>
          owner.sendWithRetry(apps.at(0), 'POST', `/api/admin/api-keys/${id}/revoke`, { currentPassword: password }),
        (url) => addCent(url, key, buyer.id),
        () => apps.db.$count(auditLog, eq(auditLog.apiKeyId, id)),
      )
      expect(statuses(answers).filter((status) => ![200, 401].includes(status))).toEqual([])
    })
  },
  raceTimeoutMs(),
)

test(
  'R8: a password reset ends all sessions opened with the old password',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const position = Math.floor(Math.random() * 40)
      const clients = Array.from({ length: 50 }, () => httpUser(buyer.name, '', hashingTimeoutMs))
      const answers = await apps.sendFifty((url, i) =>
        i === position
          ? admin.sendWithRetry(url, 'PUT', `/api/admin/users/${buyer.id}/reset-password`, {
              newPassword: 'set by an administrator',
            })
          : clients[i]!.sendWithRetry(url, 'POST', '/api/login', { username: buyer.name, password }),
      )
      expect(answers[position]!.status).toBe(200)
      expect(statuses(answers).filter((status) => ![200, 401].includes(status))).toEqual([])
      expect(await apps.db.$count(sessions, eq(sessions.userId, buyer.id))).toBe(0)
    })
  },
  raceTimeoutMs(raceRounds * 2),
)

test(
  'R9: a username and an email address are registered once, ignoring case',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const name = `Racer_${randomBytes(5).toString('hex')}`
      const inMixedCase = (i: number) =>
        Array.from(name, (char, at) => ((i >> (at % 5)) % 2 ? char.toUpperCase() : char.toLowerCase())).join('')
      const answers = await apps.sendFifty((url, i) =>
        httpUser(name, '', hashingTimeoutMs).sendWithRetry(url, 'POST', '/api/register', {
          username: i % 5 === 0 ? `${name}_${i}` : inMixedCase(i),
          email: i % 7 === 0 ? `${name}_${i}@example.org` : `${inMixedCase(i)}@Example.org`,
          password: 'correct-horse',
        }),
      )
      expect(statuses(answers).filter((status) => ![200, 409].includes(status))).toEqual([])
      expect(await apps.db.$count(users, sql`lower(${users.username}) = ${name.toLowerCase()}`)).toBe(1)
      expect(
        await apps.db.$count(users, sql`lower(${users.email}) = ${`${name}@example.org`.toLowerCase()}`),
      ).toBeLessThan(2)
    })
  },
  raceTimeoutMs(raceRounds * 2),
)

test(
  'R11: a session writes nothing after the response to its logout',
  async () => {
    await repeatRace(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const sameSession = { ...buyer }
      const answers = await expectNoWriteAfter(
        () => sameSession.sendWithRetry(apps.at(1), 'POST', '/api/logout'),
        (url) => buyer.sendWithRetry(url, 'POST', '/api/reports', report),
        () => apps.db.$count(reports, eq(reports.userId, buyer.id)),
      )
      expect(statuses(answers).filter((status) => ![200, 401].includes(status))).toEqual([])
    })
  },
  raceTimeoutMs(),
)
