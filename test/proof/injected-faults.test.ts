import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/tables.ts'
import { buildApp, type Client, type SignedIn, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import { expectInvariants } from '../harness/invariants.ts'

// Every write of a transaction fails once, one per attempt. Writes are numbered, so there is no list to maintain.
let app: TestApp
let admin: SignedIn
let referrer: SignedIn
let monthly: number
let bigger: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  referrer = await app.signIn()
  monthly = (await createPlan(app.db, { price: 2_000, connections: 2 })).id
  bigger = (await createPlan(app.db, { price: 5_000, connections: 4 })).id
  await app.database.pool.query(`
    CREATE SCHEMA fault;
    CREATE TABLE fault.plan (fails_at integer, code text);
    INSERT INTO fault.plan VALUES (NULL, NULL);
    CREATE FUNCTION fault.fail_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      -- Reset at the end of the transaction, so that a retry counts from zero.
      PERFORM set_config('fault.writes', (coalesce(nullif(current_setting('fault.writes', true), ''), '0')::int + 1)::text, true);
      IF current_setting('fault.writes')::int = (SELECT fails_at FROM fault.plan) THEN
        RAISE EXCEPTION 'injected failure: secret words of the database' USING ERRCODE = (SELECT code FROM fault.plan);
      END IF;
      RETURN NULL;
    END $$;`)
  for (const table of await tables())
    await app.database.pool.query(
      `CREATE TRIGGER strike AFTER INSERT OR UPDATE OR DELETE ON "${table}" FOR EACH STATEMENT EXECUTE FUNCTION fault.fail_write()`,
    )
}, 60_000)
afterAll(() => app.close())

const tables = async () =>
  (
    await app.database.pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'rate_limits') ORDER BY 1`,
    )
  ).rows.map(({ name }) => name)
/** All stored data except counters and the last-seen time of sessions, which any request may update once a minute. */
const everything = async () => {
  const rowsOf = async (table: string) => {
    const row = table === 'sessions' ? "to_jsonb(t) - 'last_seen_at'" : 'to_jsonb(t)'
    return (await app.database.pool.query(`SELECT ${row} AS row FROM "${table}" t ORDER BY 1`)).rows
  }
  return Promise.all((await tables()).map(rowsOf))
}
const failAt = (write: number | null, code = 'P0001') =>
  app.database.pool.query('UPDATE fault.plan SET fails_at = $1, code = $2', [write, code])

const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Record<string, unknown>
const submitted = async ({ client }: SignedIn): Promise<number> => {
  const { invoiceNumber } = await bodyOf(
    client.post('/api/create-invoice', { planId: monthly, email: 'buyer@example.org' }),
  )
  expect(
    (await client.post('/api/submit-payment', { planId: monthly, paymentMethod: 'creditcard', invoiceNumber })).status,
  ).toBe(200)
  const { invoice } = await bodyOf(client.request(`/api/invoices/${invoiceNumber}`))
  return (invoice as { id: number }).id
}
const put = (client: Client, path: string, body: unknown) =>
  client.request(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const buyer = () => app.signIn({ referredBy: referrer.user.id, credit: 500 })
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

type Attempt = () => Promise<Response>
/** Each action: its name, its minimum number of writes, and a function that prepares it and returns the attempt. */
const acts: [string, number, () => Promise<Attempt>][] = [
  [
    'a registration with a referral code',
    5,
    async () => {
      const name = `struck-${randomBytes(5).toString('hex')}`
      const { referralCode } = (await app.db.select().from(users).where(eq(users.id, referrer.user.id)))[0]!
      return () =>
        app.client().post('/api/register', {
          username: name,
          email: `${name}@example.org`,
          password: 'correct-horse',
          referralCode,
        })
    },
  ],
  [
    'a submitted payment',
    2,
    async () => {
      const { client } = await buyer()
      const { invoiceNumber } = await bodyOf(
        client.post('/api/create-invoice', { planId: monthly, email: 'buyer@example.org' }),
      )
      return () =>
        client.post('/api/submit-payment', {
          planId: monthly,
          paymentMethod: 'venmo',
          confirmationCode: invoiceNumber,
          invoiceNumber,
        })
    },
  ],
  [
    'a confirmed payment that spends credit and earns a bonus',
    10,
    async () => {
      const id = await submitted(await buyer())
      return () => put(admin.client, `/api/admin/invoices/${id}`, { status: 'paid' })
    },
  ],
  [
    'a plan change',
    3,
    async () => {
      const customer = await buyer()
      await put(admin.client, `/api/admin/invoices/${await submitted(customer)}`, { status: 'paid' })
      return () => customer.client.post('/api/change-subscription', { planId: bigger, prorated: true })
    },
  ],
  [
    'a reversed payment',
    9,
    async () => {
      const id = await submitted(await buyer())
      await put(admin.client, `/api/admin/invoices/${id}`, { status: 'paid' })
      return () => put(admin.client, `/api/admin/invoices/${id}`, { status: 'cancelled' })
    },
  ],
  [
    'an approved trial',
    3,
    async () => {
      const { client } = await app.signIn()
      const { id } = await bodyOf(
        client.post('/api/trial-requests', { device: 'Fire TV', message: 'I would like to see it first' }),
      )
      const approval = {
        status: 'approved',
        trialUsername: 'guest',
        trialPassword: 'let me in',
        trialServer: 'https://tv.example.org',
        expiryDate: tomorrow(),
      }
      return () => put(admin.client, `/api/admin/trial-requests/${id}`, approval)
    },
  ],
]

const times = Number(process.env.INJECTED ?? 1)

test.each(acts)(
  '%s changes nothing if any one of its writes fails',
  async (_what, fewest, prepare) => {
    for (let time = 0; time < times; time++) await failEachWrite(fewest, prepare)
    await expectInvariants(app.db)
  },
  30_000 + times * 30_000,
)

async function failEachWrite(fewest: number, prepare: () => Promise<Attempt>): Promise<void> {
  const attempt = await prepare()
  const before = await everything()
  let writes = 0
  for (let write = 1; ; write++) {
    // Every second fault is a deadlock error, which is retried and then answered with 503.
    const code = write % 2 ? 'P0001' : '40P01'
    await failAt(write, code)
    const answer = await attempt()
    if (answer.status === 200) break
    writes = write
    const { requestId: _, ...body } = await bodyOf(answer)
    expect({ write, status: answer.status, body }).toEqual({ write, ...(code === 'P0001' ? failed : busy) })
    expect(await everything()).toEqual(before)
  }
  await failAt(null)
  expect(writes).toBeGreaterThanOrEqual(fewest)
  expect(await everything()).not.toEqual(before)
}

const failed = { status: 500, body: { message: 'Internal error', code: 'internal' } }
const busy = {
  status: 503,
  body: { message: 'We cannot reach our records right now. Please try again in a moment.', code: 'unavailable' },
}
