// The app is killed with SIGKILL while it creates the customers of an import, and while it removes them again.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportRun } from '#features/imports/admin-contract.ts'
import { importRuns } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { cookieOf } from '../harness/access-principals.ts'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import { importHeadings, importMapping, inDays } from '../harness/import-files.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { urlOf } from '../harness/test-server.ts'

/** How many imports are made; the app is killed while it creates the customers of each, and while it removes them. IMPORT_CRASHES sets it. */
const imports = roundCount('IMPORT_CRASHES', { short: 1, full: 8 })
/** How many customers an import has; IMPORT_CRASH_ROWS sets it. */
const count = roundCount('IMPORT_CRASH_ROWS', { short: 1_100, full: 3_000 })
/** Every third customer has credit. */
const credit = 500
const planName = 'Crash Beast'

let world: TestApp
let admin: SignedIn
const data = dataFolder()
beforeAll(async () => {
  world = await buildApp()
  admin = await world.signInAdmin()
  await createPlan(world.db, { name: planName })
})
afterAll(async () => {
  await world.close()
  data.remove()
})

const file = (name: string) =>
  [
    importHeadings,
    ...Array.from({ length: count }, (_, n) =>
      [
        ...[`${name}-${n}@example.org`, `${name}-${n}`, '', '', n % 3 === 0 ? (credit / 100).toFixed(2) : ''],
        ...[planName, inDays(20), `${name}-line-${n}`, `secret${n}`],
      ].join(','),
    ),
  ].join('\n')

/** Returns what an import left in the tables. `removed`: accounts without a name, which stay because of their bookings. */
async function stored(name: string, runId: number) {
  const { rows } = await world.db.execute<Record<string, number>>(sql`
    with customer as (select * from users where username like ${`${name}-%`}),
      imported as (select * from import_rows where run_id = ${runId}),
      erased as (select u.* from users u join imported i on i.user_id = u.id where u.username = 'removed-' || u.id)
    select (select count(*) from customer)::int as customers,
      (select count(distinct lower(email)) from customer)::int as addresses,
      (select count(*) from customer c join imported i on i.user_id = c.id and i.verdict = 'created' and i.username = c.username)::int as created,
      (select coalesce(sum(account_credit), 0) from customer)::int as credit,
      (select coalesce(sum(t.amount), 0) from credit_transactions t join customer c on c.id = t.user_id)::int as booked,
      (select count(*) from customer c where c.account_credit
        <> coalesce((select sum(t.amount) from credit_transactions t where t.user_id = c.id), 0))::int as unbalanced,
      (select count(*) from segments s join customer c on c.id = s.user_id)::int as segments,
      (select count(*) from activations a join customer c on c.id = a.user_id)::int as activations,
      (select count(*) from lines where username like ${`${name}-line-%`})::int as lines,
      (select count(*) from erased)::int as removed,
      (select coalesce(sum(account_credit), 0) from erased)::int as "removedCredit"`)
  return rows[0]!
}
const withCredit = (customers: number) => Math.ceil(customers / 3)
/** Returns the expected contents of the tables after the first `customers` rows of the file are applied. */
const applied = (customers: number) => ({
  ...{ customers, addresses: customers, created: customers, segments: customers, activations: customers },
  ...{ lines: customers, credit: withCredit(customers) * credit, booked: withCredit(customers) * credit },
  ...{ unbalanced: 0, removed: 0, removedCredit: 0 },
})
const batches = Array.from({ length: Math.floor(count / limits.imports.applyBatch.customers) + 1 }, (_, n) =>
  Math.min(n * limits.imports.applyBatch.customers, count),
).concat(count)

test(
  `kill -9 while ${count} customers are imported and removed again (${imports} times): each is created once, with the right credit, and the next request continues the run`,
  async () => {
    const { address } = await proxyTo(world.database.address)
    let app: RunningApp | undefined
    const start = async () => {
      app = await runApp({
        dataDir: data.path,
        env: { DATABASE_URL: urlOf(address), LOG_LEVEL: 'error', RATE_LIMIT_FACTOR: '1000' },
      })
    }
    const send = async (path: string, body = '{}', type = 'application/json') => {
      const response = await fetch(`${app!.url}/api/admin/imports${path}`, {
        method: 'POST',
        headers: { cookie: cookieOf(admin), origin: app!.url, 'content-type': type },
        body,
      })
      const answer = (await response.json()) as { run: ImportRun } & ImportRun
      expect([response.status, response.status === 200 ? null : answer]).toEqual([200, null])
      return answer
    }
    /** Sends requests until the run is finished or a request gets no response. Adds the responses to `answers` and returns them. */
    const sendAll = async (path: string, during: string, answers: ImportRun[] = []) => {
      for (let isOpen = true; isOpen; ) {
        const answer = await send(path).catch((error: Error) => {
          if (error.name === 'AssertionError') throw error
        })
        if (answer) answers.push(answer)
        isOpen = answer?.state === during
      }
      return answers
    }
    const tally = { first: 0, between: 0, finished: 0 }
    let batchMs = 500
    let kills = 0
    try {
      await start()
      for (let at = 0; at < imports; at++) {
        const name = `crash${at}`
        const mapping = encodeURIComponent(JSON.stringify(importMapping))
        const { run } = await send(`?name=${name}.csv&mapping=${mapping}`, file(name), 'text/csv')
        expect(run.counts.create).toBe(count)

        for (const [path, during, end] of [
          ['apply', 'applying', 'applied'],
          ['undo', 'undoing', 'undone'],
        ] as const) {
          const began = performance.now()
          const answers: ImportRun[] = []
          let isOver = false
          const requests = sendAll(`/${run.id}/${path}`, during, answers).finally(() => {
            isOver = true
          })
          // In turn: after the response to the first batch, and at a random time.
          if (kills++ % 2 === 0) while (answers.length === 0 && !isOver) await sleep(5)
          await sleep(Math.random() * batchMs * (answers.length > 0 ? 1 : batches.length))
          process.kill(app!.pid, 'SIGKILL')
          await app!.ended()
          await requests
          if (answers.length > 0) batchMs = Math.min(batchMs, (performance.now() - began) / answers.length)
          const [{ state } = { state: 'checked' }] = await world.db.select().from(importRuns).where(sql`id = ${run.id}`)
          const found = await stored(name, run.id)
          const last = answers.at(-1)?.counts
          if (path === 'apply') {
            expect(batches).toContain(found.customers)
            expect(found).toEqual(applied(found.customers!))
            // Everything that got a response is stored.
            expect(found.customers).toBeGreaterThanOrEqual(last?.created ?? 0)
          } else {
            expect(batches).toContain(count - found.customers!)
            expect(count - found.customers!).toBeGreaterThanOrEqual(last?.undone ?? 0)
            expect([found.unbalanced, found.removedCredit]).toEqual([0, 0])
          }
          tally[state === end ? 'finished' : state === during ? 'between' : 'first']++

          await start()
          if (state !== end) expect((await sendAll(`/${run.id}/${path}`, during)).at(-1)?.state).toBe(end)
          const whole = await stored(name, run.id)
          if (path === 'apply') expect(whole).toEqual(applied(count))
          else expect(whole).toEqual({ ...applied(0), removed: withCredit(count) })
        }
      }
      await expectInvariants(world.db)
      const { rows } = await world.db.execute(sql`
        select (select count(*) from audit_log where action = 'user.import')::int as customers,
          (select count(*) from audit_log where action = 'import.apply')::int as applied,
          (select count(*) from audit_log where action = 'import.undo')::int as undone`)
      expect(rows).toEqual([{ customers: imports * count, applied: imports, undone: imports }])
      console.log(
        `${kills} kills: ${tally.first} before the first batch was stored, ${tally.between} between batches, ${tally.finished} after the last`,
      )
    } catch (error) {
      throw new Error(`${(error as Error).message}\nOutput of the app:\n${app?.output()}`, { cause: error })
    } finally {
      await app?.stop()
    }
  },
  60_000 + imports * 60_000,
)
