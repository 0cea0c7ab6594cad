import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog, reports, sessions, trialRequests, users } from '#server/db/tables.ts'
import { password } from '../harness/factories.ts'
import { type HttpResult, httpUser } from '../harness/http-user.ts'
import {
  countByStatus,
  type RaceUser,
  race,
  raceRounds,
  raceTimeoutMs,
  startTwoApps,
  statuses,
  type TwoApps,
  tradeOn,
} from '../harness/two-apps.ts'

// What fifty requests at once may do about accounts, roles, sessions and trials, asked of two processes on one database.
let apps: TwoApps
let admin: RaceUser
beforeAll(async () => {
  apps = await startTwoApps()
  admin = await apps.newUser({ role: 'admin' })
}, 120_000)
afterAll(() => apps.stop(), 60_000)

/** Fifty at once, one of them at a random place; what `count` says when that one is answered is what it says when all are. */
async function nothingAfter(
  last: () => Promise<HttpResult>,
  write: (url: string, index: number) => Promise<HttpResult>,
  count: () => Promise<number>,
) {
  const place = Math.floor(Math.random() * 40)
  let counted = -1
  const answers = await apps.sendFifty(async (url, index) => {
    if (index !== place) return write(url, index)
    const answer = await last()
    expect(answer.status).toBe(200)
    counted = await count()
    return answer
  })
  expect(await count()).toBe(counted)
  return answers
}

// Fifty hashes wait for one another.
const hashing = 45_000
const report = { contentType: 'channel', contentName: 'Arena One', issue: 'buffering', description: '' }

test(
  'R7: one trial is asked for',
  async () => {
    await race(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const body = { device: 'Fire TV Stick', message: 'I would like to see the picture first' }
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
  'R8: of two last administrators who demote each other one is left',
  async () => {
    await race(apps, raceRounds, async () => {
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
  'R8: nothing that an administrator has begun is written after their demotion is answered',
  async () => {
    await race(apps, raceRounds, async () => {
      const demoted = await apps.newUser({ role: 'admin' })
      const buyer = await apps.newUser()
      const trade = tradeOn(apps)
      const { id } = await trade.submitted(buyer)
      await nothingAfter(
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
  'R8: no session that an old password opened outlives its reset',
  async () => {
    await race(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const place = Math.floor(Math.random() * 40)
      const people = Array.from({ length: 50 }, () => httpUser(buyer.name, '', hashing))
      const answers = await apps.sendFifty((url, i) =>
        i === place
          ? admin.sendWithRetry(url, 'PUT', `/api/admin/users/${buyer.id}/reset-password`, {
              newPassword: 'given by an administrator',
            })
          : people[i]!.sendWithRetry(url, 'POST', '/api/login', { username: buyer.name, password }),
      )
      expect(answers[place]!.status).toBe(200)
      expect(statuses(answers).filter((status) => ![200, 401].includes(status))).toEqual([])
      expect(await apps.db.$count(sessions, eq(sessions.userId, buyer.id))).toBe(0)
    })
  },
  raceTimeoutMs(raceRounds * 2),
)

test(
  'R9: a name and an address are given once, in whatever case they are written',
  async () => {
    await race(apps, raceRounds, async () => {
      const name = `Racer_${randomBytes(5).toString('hex')}`
      const spelt = (i: number) =>
        Array.from(name, (char, at) => ((i >> (at % 5)) % 2 ? char.toUpperCase() : char.toLowerCase())).join('')
      const answers = await apps.sendFifty((url, i) =>
        httpUser(name, '', hashing).sendWithRetry(url, 'POST', '/api/register', {
          username: i % 5 === 0 ? `${name}_${i}` : spelt(i),
          email: i % 7 === 0 ? `${name}_${i}@example.org` : `${spelt(i)}@Example.org`,
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
  'R11: nothing that was under way is written after a logout is answered',
  async () => {
    await race(apps, raceRounds, async () => {
      const buyer = await apps.newUser()
      const leaving = { ...buyer }
      const answers = await nothingAfter(
        () => leaving.sendWithRetry(apps.at(1), 'POST', '/api/logout'),
        (url) => buyer.sendWithRetry(url, 'POST', '/api/reports', report),
        () => apps.db.$count(reports, eq(reports.userId, buyer.id)),
      )
      expect(statuses(answers).filter((status) => ![200, 401].includes(status))).toEqual([])
    })
  },
  raceTimeoutMs(),
)
