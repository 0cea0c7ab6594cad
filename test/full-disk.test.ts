// A disk without room: writes are told 503, what is kept is served, nothing acknowledged is lost, and it goes on when there is room again.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { reports, users } from '#server/db/tables.ts'
import { type HttpPerson, personAt } from './http-person.ts'
import { expectBooksToBalance } from './invariants.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'
import { silentLog } from './silent-log.ts'

const rounds = Number(process.env.FULL_DISKS ?? 1)
const data = dataFolder()
/** A disk of its own in memory, which only root can make. */
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=711', 'tmpfs', data.path]).status === 0
if (!isMounted) console.log('A full disk is not tried: nobody but root can make a small one.')

describe.runIf(isMounted)('on a small disk', () => {
  let app: RunningApp
  let buyer: HttpPerson
  beforeAll(async () => {
    app = await runApp({ dataDir: data.path, env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' } })
    buyer = await personAt(app.url)
  }, 60_000)
  afterAll(async () => {
    await app?.stop()
    spawnSync('umount', ['--lazy', data.path])
    data.remove()
  }, 60_000)

  const filler = join(data.path, 'filler')
  function fill(): void {
    const file = openSync(filler, 'w')
    const block = Buffer.alloc(64 * 1024, 1)
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    } finally {
      closeSync(file)
    }
    expect(statfsSync(data.path).bavail).toBeLessThan(16)
  }
  const report = (text: string) =>
    buyer.send(app.url, 'POST', '/api/reports', { contentType: 'channel', contentName: 'News', issue: 'other', description: text.padEnd(2_000, ' and so on') })

  test(
    `${rounds} times full: refused as when the database is away, and back when there is room`,
    async () => {
      for (const path of ['/api/plans', '/']) expect((await fetch(app.url + path)).status).toBe(200)
      let acknowledged = 0
      for (let round = 0; round < rounds; round++) {
        fill()
        let refused = 0
        for (let sent = 0; sent < 5_000 && refused < 10; sent++) {
          const answer = await report(`${round} ${sent}`)
          expect([200, 503], JSON.stringify(answer.body)).toContain(answer.status)
          if (answer.status === 200) acknowledged++
          else {
            refused++
            expect(answer.body).toMatchObject({ code: 'unavailable' })
          }
        }
        expect(refused).toBe(10)
        for (const path of ['/healthz', '/api/plans', '/']) expect([path, (await fetch(app.url + path)).status]).toEqual([path, 200])
        rmSync(filler)
        await expect.poll(async () => (await buyer.send(app.url, 'GET', '/api/user')).status, { timeout: 60_000, interval: 200 }).toBe(200)
        await expect.poll(async () => (await report(`${round} again`)).status, { timeout: 30_000, interval: 200 }).toBe(200)
        acknowledged++
      }
      const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
      const { db, close } = connect(embedded.connection, { log: silentLog, max: 2 })
      try {
        const [{ id } = { id: 0 }] = await db.select({ id: users.id }).from(users).where(eq(users.username, buyer.name))
        expect(await db.$count(reports, eq(reports.userId, id))).toBeGreaterThanOrEqual(acknowledged)
        await expectBooksToBalance(db)
      } finally {
        await close()
        await embedded.stop()
      }
      expect(app.said()).not.toMatch(/"level":60|unexpected error/)
    },
    120_000 + rounds * 120_000,
  )
})
