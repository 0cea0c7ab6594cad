// The app is killed with SIGKILL while it moves the lines of one panel to another and back.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNotNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lineDrift, lineJobs, lineMoveRuns, lineMoves, linePanel, lines } from '#server/db/tables.ts'
import { cookieOf } from '../harness/access-principals.ts'
import { buildApp, testConfig } from '../harness/app.ts'
import type { LineRow } from '../harness/fake-lines.ts'
import type { FakePanel } from '../harness/fake-panel.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { linesToMove } from '../harness/lines-to-move.ts'
import type { Mode } from '../harness/panel-modes.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { urlOf } from '../harness/test-server.ts'

/** How often the app is killed in each direction; MOVE_CRASHES sets it. */
const cycles = roundCount('MOVE_CRASHES', { short: 2, full: 12 })
/** How many lines are moved; MOVE_CRASH_LINES sets it. */
const count = roundCount('MOVE_CRASH_LINES', { short: 16, full: 300 })
const directions = count < 100 ? (['there'] as const) : (['there', 'back'] as const)
/** The approximate time to move one line, in milliseconds. */
const lineMs = 80

/** At which moment the app is killed, in turn. `acts`: the panel does what was requested before the response is lost. */
const moments = [
  { at: 'while a line is created', action: 'create_line', acts: true },
  { at: 'at a random time' },
  { at: 'before a line is created', action: 'create_line', acts: false },
  { at: 'while an old line is disabled', action: 'disable_line', acts: true },
  { at: 'while a line is read', action: 'get_line', acts: true },
  { at: 'at a random time' },
] as const

test(
  `kill -9 while ${count} lines are moved (${cycles} times in each direction): each line exists once on its panel, and each customer always has an enabled line`,
  async () => {
    const secretKey = randomBytes(32).toString('base64')
    const world = await buildApp({ config: { secretKey, otherKeys: [] } })
    const { db } = world
    const admin = await world.signInAdmin()
    const config = { ...testConfig, secretKey, otherKeys: [] }
    const { from, to, toId, close } = await linesToMove(db, config, count, admin.user.id)
    const { address } = await proxyTo(world.database.address)
    const data = dataFolder()
    const env = {
      ...{ DATABASE_URL: urlOf(address), SECRET_KEY: secretKey, PANEL_URL: from.url, PANEL_ALLOW_PRIVATE: 'true' },
      ...{ RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'error' },
    }
    let app: RunningApp | undefined
    const start = async () => {
      app = await runApp({ dataDir: data.path, env })
      return app
    }
    const post = async (path: string, body: object = {}) => {
      const headers = { cookie: cookieOf(admin), origin: app!.url, 'content-type': 'application/json' }
      const response = await fetch(app!.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as { id: number } }
    }
    /** Ends the lease of the killed process, and all back-offs. */
    const makeJobsDue = async () => {
      await db.update(linePanel).set({ heldUntil: sql`now()`, restUntil: sql`now()` })
      await db.update(lineJobs).set({ dueAt: sql`now()` }).where(sql`${lineJobs.state} <> 'done'`)
      await db.execute(sql`select pg_notify('sauce', '{"to":"lines"}')`)
    }
    /** The panel that has a customer's line must have it enabled, whenever the app is killed. */
    const expectLinesInUse = async () => {
      const stored = await db.select().from(lines)
      expect(stored).toHaveLength(count)
      const unusable = stored.filter(
        ({ panelId, username }) => rowsOf(panelId === toId ? to : from, username!).filter(isEnabled).length !== 1,
      )
      expect(unusable).toEqual([])
    }
    /** How many calls had an unknown outcome and were left to an administrator. */
    let tasks = 0
    const finish = async (state: 'moved' | 'returned') => {
      await expect
        .poll(
          async () => {
            await makeJobsDue()
            const waiting = await db.select({ id: lineJobs.id }).from(lineJobs).where(isNotNull(lineJobs.task))
            for (const { id } of waiting) {
              tasks++
              expect((await post(`/api/admin/lines/${id}/retry`)).status).toBe(200)
            }
            const [run] = await db.select().from(lineMoveRuns)
            const open = await db.$count(lineJobs, sql`${lineJobs.state} <> 'done'`)
            return { run: run!.state, open }
          },
          { timeout: 60_000 + count * 200, interval: 300 },
        )
        .toEqual({ run: 'done', open: 0 })
      const moves = await db.select().from(lineMoves)
      expect(moves.map((move) => move.state)).toEqual(Array.from({ length: count }, () => state))
    }

    try {
      await start()
      let kills = 0
      let run = 0
      for (const direction of directions) {
        const [source, target, targetId] = direction === 'there' ? [from, to, toId] : [to, from, 1]
        if (direction === 'there') {
          const started = await post('/api/admin/line-moves', { from: 1, to: toId, expected: count })
          expect(started.status).toBe(200)
          run = started.body.id
        } else expect((await post(`/api/admin/line-moves/${run}/back`)).status).toBe(200)

        for (let cycle = 0; cycle < cycles; cycle++) {
          const { pid, ended } = app!
          let isDead = false
          const kill = () => {
            if (!isDead) process.kill(pid, 'SIGKILL')
            isDead = true
          }
          const dying: Mode = (response) => {
            kill()
            response.destroy()
          }
          await makeJobsDue()
          const some = Math.floor((Math.random() * count) / (cycles + 1))
          const moment = moments[kills++ % moments.length]!
          if ('action' in moment) {
            // A move back creates no line.
            const action = direction === 'back' && moment.action === 'create_line' ? 'enable_line' : moment.action
            const panel = action === 'disable_line' ? source : target
            panel.lines.fail(dying, { action, acts: moment.acts, times: 1, skip: some })
            for (let waited = 0; !isDead && waited < 10_000 + some * lineMs * 10; waited += 10) await sleep(10)
          } else await sleep(some * lineMs)
          kill()
          await ended()
          for (const { lines: panel } of [from, to]) panel.heal()
          await expectLinesInUse()
          await start()
        }
        await finish(direction === 'there' ? 'moved' : 'returned')

        const stored = await db.select().from(lines)
        expect(stored.filter(({ panelId, panelEnabled }) => panelId === targetId && panelEnabled)).toHaveLength(count)
        for (const panel of [source, target]) {
          expect(panel.lines.rows.size).toBe(count)
          expect(new Set([...panel.lines.rows.values()].map(({ username }) => username)).size).toBe(count)
        }
        expect([...target.lines.rows.values()].filter(isEnabled)).toHaveLength(count)
        expect([...source.lines.rows.values()].filter(isEnabled)).toHaveLength(0)
        const byRef = new Map([...target.lines.rows.values()].map((row) => [row.id, row]))
        for (const { lineRef, username } of stored) expect(byRef.get(lineRef)?.username).toBe(username)
        expect(new Set([...from.lines.rows.values(), ...to.lines.rows.values()].map((row) => row.exp_date)).size).toBe(
          1,
        )
        await expectInvariants(db)
      }
      // Both panels are compared: nothing differs.
      await db.update(linePanel).set({ checkAskedAt: sql`now()` })
      await expect
        .poll(
          async () => {
            await makeJobsDue()
            return db.$count(linePanel, isNotNull(linePanel.checkAskedAt))
          },
          { timeout: 30_000, interval: 200 },
        )
        .toBe(0)
      expect(await db.select().from(lineDrift)).toEqual([])
      console.log(`${kills} kills, ${tasks} of the calls were left to an administrator`)
      expect(tasks).toBeLessThanOrEqual(kills)
    } catch (error) {
      throw new Error(`${(error as Error).message}\nOutput of the app:\n${app?.output()}`, { cause: error })
    } finally {
      await app?.stop()
      await close()
      data.remove()
      await world.close()
    }
  },
  90_000 + cycles * 20_000 + count * 1_000,
)

const isEnabled = ({ enabled }: LineRow) => enabled === '1'
const rowsOf = ({ lines: panel }: FakePanel, username: string): LineRow[] =>
  [...panel.rows.values()].filter((row) => row.username === username)
