// The expected behavior of an app whose database runs out of a resource, such as disk space or memory.
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { reports, users } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { type HttpResult, type HttpUser, loggedInUser } from './http-user.ts'
import { expectInvariants } from './invariants.ts'
import { type RunningApp, runApp } from './running-app.ts'
import { silentLog } from './silent-log.ts'

/** A client that writes to an app while a resource is exhausted and becomes available again. */
export type Writer = { buyer: HttpUser; app: RunningApp; acknowledged: number }
const quiet = { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn', SEED: 'sample' }

export async function startWriting(dataDir: string): Promise<Writer> {
  const app = await runApp({ dataDir, env: quiet })
  const buyer = await loggedInUser(app.url)
  for (const path of ['/api/plans', '/']) expect((await fetch(app.url + path)).status).toBe(200)
  return { app, buyer, acknowledged: 0 }
}

const report = ({ app, buyer }: Writer, text: string): Promise<HttpResult> =>
  buyer.send(app.url, 'POST', '/api/reports', {
    contentType: 'channel',
    contentName: 'News',
    issue: 'other',
    description: text.padEnd(2_000, ' and so on'),
  })

/** Writes until ten requests were refused. Expects each refusal to be the one for an unavailable database, and cached responses to be served all the time. */
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

/** Expects the app to recover without a restart once the resource is available again. */
export async function expectRecovery(writer: Writer): Promise<void> {
  const { app, buyer } = writer
  await expect
    .poll(async () => (await buyer.send(app.url, 'GET', '/api/user')).status, { timeout: 60_000, interval: 200 })
    .toBe(200)
  await expect.poll(async () => (await report(writer, 'again')).status, { timeout: 30_000, interval: 200 }).toBe(200)
  writer.acknowledged++
}

/** Expects every acknowledged report to be stored, all invariants to hold, and no unexpected log entries. */
export async function expectAllKept({ app, buyer, acknowledged }: Writer, dataDir: string): Promise<void> {
  const embedded = await startEmbedded({ dataDir, log: silentLog })
  const { db, close } = connect(embedded.connection, { log: silentLog, max: 2 })
  try {
    const [{ id } = { id: 0 }] = await db.select({ id: users.id }).from(users).where(eq(users.username, buyer.name))
    expect(await db.$count(reports, eq(reports.userId, id))).toBeGreaterThanOrEqual(acknowledged)
    await expectInvariants(db)
  } finally {
    await close()
    await embedded.stop()
  }
  expect(app.output()).not.toMatch(/"level":60|unexpected error/)
}
