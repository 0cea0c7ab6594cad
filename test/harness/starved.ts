// What is expected of an app whose database lacks something, such as room or memory.
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { reports, users } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { type Answer, type HttpPerson, personAt } from './http-person.ts'
import { expectBooksToBalance } from './invariants.ts'
import { type RunningApp, runApp } from './running-app.ts'
import { silentLog } from './silent-log.ts'

/** Somebody who writes to an app that is starved and fed again. */
export type Writer = { buyer: HttpPerson; app: RunningApp; acknowledged: number }
const quiet = { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' }

export async function startWriting(dataDir: string): Promise<Writer> {
  const app = await runApp({ dataDir, env: quiet })
  const buyer = await personAt(app.url)
  for (const path of ['/api/plans', '/']) expect((await fetch(app.url + path)).status).toBe(200)
  return { app, buyer, acknowledged: 0 }
}

const report = ({ app, buyer }: Writer, text: string): Promise<Answer> =>
  buyer.send(app.url, 'POST', '/api/reports', {
    contentType: 'channel',
    contentName: 'News',
    issue: 'other',
    description: text.padEnd(2_000, ' and so on'),
  })

/** Writes until ten were refused, each as when the database is away; what is kept in memory is served meanwhile. */
export async function expectRefusals(writer: Writer): Promise<void> {
  const { app } = writer
  let refused = 0
  for (let sent = 0; sent < 5_000 && refused < 10; sent++) {
    const answer = await report(writer, `number ${sent}`)
    expect([200, 503], JSON.stringify(answer.body)).toContain(answer.status)
    if (answer.status === 200) writer.acknowledged++
    else {
      refused++
      expect(answer.body).toMatchObject({ code: 'unavailable' })
    }
  }
  expect(refused).toBe(10)
  for (const path of ['/healthz', '/api/plans', '/'])
    expect([path, (await fetch(app.url + path)).status]).toEqual([path, 200])
}

/** By itself, once it has what it lacked. */
export async function expectRecovery(writer: Writer): Promise<void> {
  const { app, buyer } = writer
  await expect
    .poll(async () => (await buyer.send(app.url, 'GET', '/api/user')).status, { timeout: 60_000, interval: 200 })
    .toBe(200)
  await expect.poll(async () => (await report(writer, 'again')).status, { timeout: 30_000, interval: 200 }).toBe(200)
  writer.acknowledged++
}

/** Every report that was acknowledged is there, the books balance, and the app said nothing that it did not expect. */
export async function expectAllKept({ app, buyer, acknowledged }: Writer, dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: silentLog })
  const { db, close } = connect(embedded.connection, { log: silentLog, max: 2 })
  try {
    const [{ id } = { id: 0 }] = await db.select({ id: users.id }).from(users).where(eq(users.username, buyer.name))
    expect(await db.$count(reports, eq(reports.userId, id))).toBeGreaterThanOrEqual(acknowledged)
    await expectBooksToBalance(db)
  } finally {
    await close()
    await embedded.stop()
  }
  expect(app.output()).not.toMatch(/"level":60|unexpected error/)
}
