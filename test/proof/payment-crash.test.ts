// The app is killed with SIGKILL while it decides about payments, records them and books a statement.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payments } from '#server/db/tables.ts'
import { cookieOf } from '../harness/access-principals.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { paymentCaseNames, paymentCases } from '../harness/payment-cases.ts'
import { paymentDeskWorld } from '../harness/payment-desk-world.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { urlOf } from '../harness/test-server.ts'

/** How often the app is killed; PAYMENT_CRASHES sets it. */
const cycles = roundCount('PAYMENT_CRASHES', { short: 2, full: 200 })
/** The latest kill after the requests are sent, in milliseconds. The first requests of a process take up to this long. */
const latestKillMs = 800
const statementRows = 50
/** The maximum time until a started app serves requests, in milliseconds. */
const maxStartMs = 5_000

let world: Awaited<ReturnType<typeof paymentDeskWorld>>
let cases: ReturnType<typeof paymentCases>
const data = dataFolder()
beforeAll(async () => {
  world = await paymentDeskWorld()
  cases = paymentCases(world)
  await world.acceptDifferences(10)
})
afterAll(async () => {
  await expectInvariants(world.app.db)
  await world.app.close()
  data.remove()
})

const statement = (name: string) =>
  [
    'Transaction ID,Date,Transaction Type,Currency,Amount,Fee,Net Amount,Status,Notes,Name of sender/receiver',
    ...Array.from(
      { length: statementRows },
      (_, i) =>
        `${name}-${i},2026-11-19 09:02:11 EST,Received P2P,USD,$7,$0,$7,PAYMENT DEPOSITED,for TV,Dana Whitfield`,
    ),
  ].join('\n')
const booked = async (name: string) => {
  const { rows } = await world.app.db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${payments} where ${payments.providerReference} like ${`${name}-%`}`,
  )
  return rows[0]!.count
}

test(
  `kill -9 while payments are decided and recorded (${cycles} times): each decision took effect completely or not at all, and can be repeated`,
  async () => {
    const { address } = await proxyTo(world.app.database.address)
    const tally = { whole: 0, none: 0 }
    const startsMs: number[] = []
    for (let cycle = 0; cycle < cycles; cycle++) {
      const name = `crash${cycle}${randomUUID().slice(0, 6)}`
      const decided = await Promise.all(
        [0, 1, 2].map((offset) => cases[paymentCaseNames[(3 * cycle + offset) % paymentCaseNames.length]!]()),
      )
      const before = await Promise.all(decided.map(({ id }) => world.detail(id)))
      const app = await runApp({ dataDir: data.path, env: { DATABASE_URL: urlOf(address), LOG_LEVEL: 'error' } })
      startsMs.push(app.readyMs)
      const send = (path: string, body: string, type = 'application/json') =>
        fetch(app.url + path, {
          method: 'POST',
          headers: { cookie: cookieOf(world.admin), origin: app.url, 'content-type': type },
          body,
        }).then(
          ({ status }) => status,
          () => undefined,
        )
      const requestKey = randomUUID()
      const recorded = {
        ...{ requestKey, rail: 'cashapp', amount: 900, note: '', payerName: name, payerHandle: '' },
        ...{ paidAt: new Date().toISOString(), providerReference: '' },
      }
      const answers = Promise.all([
        ...decided.map(({ id, decision }, i) =>
          send(`/api/admin/payments/${id}/decision`, JSON.stringify({ ...decision, version: before[i]!.version })),
        ),
        send('/api/admin/payments', JSON.stringify(recorded)),
        send(`/api/admin/statements?name=${name}.csv&expectedNew=${statementRows}`, statement(name), 'text/csv'),
      ])
      await sleep((latestKillMs * ((cycle * 37) % 100)) / 100)
      process.kill(app.pid, 'SIGKILL')
      await app.ended()
      const statuses = await answers

      for (const [i, { id, decision }] of decided.entries()) {
        const { status } = await world.detail(id)
        const isDecided = status !== before[i]!.status
        // A decision that got a response is stored. One without a response may be stored.
        if (statuses[i] === 200) expect(isDecided).toBe(true)
        else if (!isDecided) await world.decide(id, decision)
        tally[isDecided ? 'whole' : 'none']++
      }
      const bookedRows = await booked(name)
      expect([0, statementRows]).toContain(bookedRows)
      if (statuses.at(-1) === 200) expect(bookedRows).toBe(statementRows)
      tally[bookedRows > 0 ? 'whole' : 'none']++
      // The same form sent again records nothing twice.
      await world.record(900, '', recorded)
      const { rows } = await world.app.db.execute<{ count: number }>(
        sql`select count(*)::int as count from ${payments} where ${payments.payerName} = ${name}`,
      )
      expect(rows).toEqual([{ count: 1 }])
      if (cycle % 20 === 0) await expectInvariants(world.app.db)
    }
    startsMs.sort((a, b) => a - b)
    const startMs = startsMs[Math.ceil(cycles * 0.95) - 1]!
    console.log(
      `${cycles} kills: ${tally.whole} decisions had taken effect, ${tally.none} had not; the app responded again after ${Math.round(startMs)} ms (95th percentile)`,
    )
    expect(startMs).toBeLessThan(maxStartMs)
    // Otherwise the kills came too early or too late to prove anything.
    if (cycles >= 20) expect(Math.min(tally.whole, tally.none)).toBeGreaterThan(cycles / 4)
  },
  60_000 + cycles * 6_000,
)
