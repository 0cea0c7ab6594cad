// Processes with wrong or jumping clocks and unusual time zones: the database clock decides, and timestamps stay UTC.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { urlOf } from '../../harness/test-server.ts'

const hour = 3_600_000
const day = 24 * hour
type WrongClock = { name: string; offsetMs: number; jumpMs?: number; zone: string }
const every: WrongClock[] = [
  { name: 'a day ahead', offsetMs: day, zone: 'Pacific/Kiritimati' },
  { name: 'jumping back and forth by an hour', offsetMs: 0, jumpMs: hour, zone: 'America/Los_Angeles' },
  { name: 'a day behind', offsetMs: -day, zone: 'America/Los_Angeles' },
  { name: 'in 2038', offsetMs: Date.UTC(2038, 0, 19, 3, 14) - Date.now(), zone: 'UTC' },
  { name: 'on a leap day', offsetMs: Date.UTC(2028, 1, 29, 23, 59) - Date.now(), zone: 'Pacific/Chatham' },
  {
    name: 'in the night in which clocks go forward',
    offsetMs: Date.UTC(2027, 2, 14, 9, 59) - Date.now(),
    zone: 'America/Los_Angeles',
  },
]
const chosen = every.slice(0, roundCount('WRONG_CLOCKS', { full: 2 }))

/** Code loaded before the app: shifts `Date` by `offsetMs` and, with `jumpMs`, changes the shift every two seconds. Monotonic clocks stay unchanged. */
const clock = ({ offsetMs, jumpMs = 0 }: WrongClock) =>
  `--import data:text/javascript,${encodeURIComponent(
    `const Real=Date;const now=()=>Real.now()+${offsetMs}+(Math.floor(Real.now()/2000)%2?${jumpMs}:-${jumpMs});globalThis.Date=new Proxy(Real,{construct:(t,a,n)=>Reflect.construct(t,a.length?a:[now()],n),apply:()=>new Real(now()).toString(),get:(t,k)=>k==='now'?now:Reflect.get(t,k)})`,
  )}`
const admin = { username: 'admin', password: 'clocks-only-here' }

describe.each(chosen)('a process whose clock is $name, in $zone', (wrong) => {
  const data = dataFolder()
  let database: TestDatabase
  let app: RunningApp
  let operator: HttpUser
  let buyer: HttpUser
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true })
    const env = {
      DATABASE_URL: urlOf(database.address),
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      SEED: 'sample',
      LOG_LEVEL: 'warn',
    }
    app = await runApp({ dataDir: data.path, env: { ...env, TZ: wrong.zone, NODE_OPTIONS: clock(wrong) } })
    operator = await loggedInUser(app.url, admin)
    buyer = await loggedInUser(app.url)
  }, 60_000)
  afterAll(async () => {
    await app?.stop()
    await database?.close()
    data.remove()
  }, 30_000)

  const get = (who: HttpUser, path: string) => who.send(app.url, 'GET', path)
  /** Returns the difference between a time and the database's current time, in milliseconds. */
  const msFromNow = async (instant: unknown) => {
    expect(instant).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
    const { rows } = await database.pool.query(
      'select extract(epoch from $1::timestamptz - now())::float8 * 1000 as ms',
      [instant],
    )
    return rows[0].ms as number
  }
  const setSessionEnd = (when: string) =>
    database.db.execute(
      sql.raw(
        `update sessions set expires_at = ${when} where user_id = (select id from users where username = '${buyer.name}')`,
      ),
    )

  test('an order, its payment and its subscription get the database’s time', async () => {
    const plans = (await (await fetch(`${app.url}/api/plans`)).json()) as { id: number; months: number }[]
    const { id: planId } = plans.find(({ months }) => months === 3)!
    const { body: order } = await buyer.send(app.url, 'POST', '/api/create-invoice', {
      planId,
      email: 'buyer@example.org',
    })
    const { rows } = await database.pool.query(
      `select id, extract(epoch from created_at - now())::float8 * 1000 as created, extract(epoch from expires_at - created_at)::float8 * 1000 as lasts from invoices where invoice_number = $1`,
      [order.invoiceNumber],
    )
    expect(Math.abs(rows[0].created)).toBeLessThan(30_000)
    expect(rows[0].lasts).toBeGreaterThan(hour)
    expect(rows[0].lasts).toBeLessThan(31 * day)
    expect(Math.abs((await msFromNow(order.expiresAt)) - rows[0].lasts)).toBeLessThan(30_000)
    const { invoiceNumber } = order
    expect(
      await buyer.send(app.url, 'POST', '/api/submit-payment', {
        planId,
        paymentMethod: 'venmo',
        paymentNote: `SAUCE: ${invoiceNumber}`,
        invoiceNumber,
      }),
    ).toMatchObject({
      status: 200,
    })
    expect(await operator.send(app.url, 'PUT', `/api/admin/invoices/${rows[0].id}`, { status: 'paid' })).toMatchObject({
      status: 200,
    })
    const { body: user } = await get(buyer, '/api/user')
    expect(Math.abs(await msFromNow(user.subscriptionStartDate))).toBeLessThan(30_000)
    const { rows: ends } = await database.pool.query(
      `select extract(epoch from $1::timestamptz - ($2::timestamptz + interval '3 months'))::float8 as off`,
      [user.subscriptionEndDate, user.subscriptionStartDate],
    )
    expect(ends[0].off).toBe(0)
  })

  test('a session expires by the database’s clock', async () => {
    expect((await get(buyer, '/api/user')).status).toBe(200)
    await setSessionEnd("now() + interval '1 minute'")
    expect((await get(buyer, '/api/user')).status).toBe(200)
    await setSessionEnd("now() - interval '1 second'")
    expect((await get(buyer, '/api/user')).status).toBe(401)
  })

  test('too many logins are refused, for no longer than the rate limit window', async () => {
    const name = `nobody-${Date.now().toString(36)}`
    const statuses: number[] = []
    let retry = 0
    for (let tries = 0; tries < 8; tries++) {
      const response = await fetch(`${app.url}/api/login`, {
        method: 'POST',
        headers: { origin: app.url, 'content-type': 'application/json' },
        body: JSON.stringify({ username: name, password: 'wrong horse' }),
      })
      statuses.push(response.status)
      retry = Number(response.headers.get('retry-after') ?? retry)
      // Long enough for a jumping clock to jump.
      if (wrong.jumpMs) await sleep(600)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const { rows } = await database.pool.query(
      "select max(expire) / 1000 - extract(epoch from now())::float8 as seconds from rate_limits where key like 'login%'",
    )
    expect(rows[0].seconds).toBeLessThanOrEqual(60 * 60)
    if (wrong.jumpMs) return
    expect(retry).toBeGreaterThan(0)
    expect(retry).toBeLessThanOrEqual(15 * 60)
  })
})
