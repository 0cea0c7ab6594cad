import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loggedInUser } from '../harness/http-user.ts'
import { runCliWith } from '../harness/run-cli.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { isFullSize } from '../harness/scale.ts'
import { type TcpServer, tcpServer } from '../harness/tcp-server.ts'

const admin = { username: 'admin', password: 'owners-only-here' }
const env: Record<string, string> = {
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000',
  LOG_LEVEL: 'warn',
  SEED: 'sample',
}
const data = dataFolder()
let server: TcpServer
let url: (role: string) => string
let app: RunningApp | undefined
let limited: pg.Client
beforeAll(async () => {
  server = await tcpServer()
  url = (role) => `postgres://${role}@127.0.0.1:${server.port}/tv`
  const root = await server.superuser()
  for (const statement of [
    'create role tv_owner login',
    'create role tv_app login',
    'grant tv_app to tv_owner',
    'create database tv owner tv_owner',
  ])
    await root.query(statement)
  await root.end()
  app = await runApp({
    dataDir: data.path,
    env: { ...env, DATABASE_URL: url('tv_app'), DATABASE_OWNER_URL: url('tv_owner') },
  })
  limited = new pg.Client(url('tv_app'))
  await limited.connect()
}, 60_000)
afterAll(async () => {
  await limited?.end()
  await app?.stop()
  await server?.stop()
  data.remove()
})

/** Registers, orders, pays, confirms, grants credit and reverses the payment, so that every billing table is written. */
async function runTrade({ url: at }: RunningApp): Promise<void> {
  const [buyer, cashier] = [await loggedInUser(at), await loggedInUser(at, admin)]
  const [plan] = (await (await fetch(`${at}/api/plans`)).json()) as { id: number }[]
  const { body } = await buyer.send(at, 'POST', '/api/create-invoice', {
    planId: plan!.id,
    email: `${buyer.name}@example.org`,
  })
  const order = {
    planId: plan!.id,
    paymentMethod: 'venmo',
    confirmationCode: `PAID-${String(body.invoiceNumber)}`,
    invoiceNumber: body.invoiceNumber,
  }
  expect(await buyer.send(at, 'POST', '/api/submit-payment', order)).toMatchObject({ status: 200 })
  const { invoice } = (await buyer.send(at, 'GET', `/api/invoices/${body.invoiceNumber}`)).body as {
    invoice: { id: number }
  }
  expect(await cashier.send(at, 'PUT', `/api/admin/invoices/${invoice.id}`, { status: 'paid' })).toMatchObject({
    status: 200,
  })
  const { id } = (await buyer.send(at, 'GET', '/api/user')).body
  expect(
    await cashier.send(at, 'POST', `/api/admin/users/${id}/credit`, { amount: 500, reason: 'For the wait' }),
  ).toMatchObject({ status: 200 })
  expect(await cashier.send(at, 'PUT', `/api/admin/invoices/${invoice.id}`, { status: 'pending' })).toMatchObject({
    status: 200,
  })
}

test('the app works as a role that owns nothing, and needs no DATABASE_OWNER_URL once all migrations have run', async () => {
  await runTrade(app!)
  await app!.stop()
  app = await runApp({ dataDir: data.path, env: { ...env, DATABASE_URL: url('tv_app') } })
  await runTrade(app)
  expect(
    (
      await limited.query(
        'select count(*)::int as owned from pg_class where relowner = current_user::regrole and relnamespace = $1::regnamespace',
        ['public'],
      )
    ).rows,
  ).toEqual([{ owned: 0 }])
}, 60_000)

test.each([
  'drop trigger audit_log_append_only on audit_log',
  'alter table credit_transactions disable trigger all',
  "update audit_log set action = 'x'",
  "update payments set note = 'x'",
  'delete from payments',
  'delete from credit_transactions',
  'truncate credit_notes',
  'drop table audit_log',
  'alter table users add column mine text',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
  'create table public.mine (id int)',
  "delete from migrations where name like '0001%'",
  'set session_replication_role = replica',
  'set role tv_owner',
])('the app’s role may not: %s', async (statement) => {
  await expect(limited.query(statement)).rejects.toThrow(/permission denied|must be owner/)
})

test('the app’s role withdraws a statement, although payments are append-only', async () => {
  const { url: at } = app!
  const cashier = await loggedInUser(at, admin)
  const statement = [
    '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Status","Notes","Name of sender/receiver"',
    '"own1","2026-11-20 09:02:11 EST","Received P2P","USD","$30","$0","$30","PAYMENT DEPOSITED","for a month","Dana Whitfield"',
  ].join('\n')
  const recorded = await fetch(`${at}/api/admin/statements?name=cash.csv&expectedNew=1`, {
    method: 'POST',
    headers: { origin: at, cookie: cashier.cookie(), 'content-type': 'application/octet-stream' },
    body: statement,
  })
  expect(recorded.status).toBe(200)
  const { rows } = await limited.query<{ id: number }>('select id from statement_files')
  expect(await cashier.send(at, 'POST', `/api/admin/statements/${rows[0]!.id}/withdraw`, {})).toMatchObject({
    status: 200,
    body: { withdrawn: { by: admin.username } },
  })
})

test.runIf(isFullSize)(
  'backup and restore run as the owner, and the app works on the restored database',
  async () => {
    await app!.stop()
    const settings = { DATA_DIR: data.path, DATABASE_URL: url('tv_app'), DATABASE_OWNER_URL: url('tv_owner') }
    const file = join(data.path, 'owned.sauce.gz')
    expect(await runCliWith(settings, 'backup', '--to', file)).toMatchObject({ status: 0 })
    expect(await runCliWith(settings, 'restore', file, '--replace')).toMatchObject({ status: 0, stderr: '' })
    app = await runApp({ dataDir: data.path, env: { ...env, ...settings } })
    await runTrade(app)
    await expect(limited.query('drop trigger audit_log_append_only on audit_log')).rejects.toThrow(/must be owner/)
  },
  60_000,
)

test('the same role in DATABASE_URL and DATABASE_OWNER_URL is refused', async () => {
  const starting = runApp({
    dataDir: data.path,
    env: { ...env, DATABASE_URL: url('tv_owner'), DATABASE_OWNER_URL: url('tv_owner') },
  })
  await expect(starting).rejects.toThrow('DATABASE_OWNER_URL must name a different role than DATABASE_URL.')
})
