import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { sendRequest } from '../../harness/one-port.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { type TcpServer, tcpServer } from '../../harness/tcp-server.ts'

// Lists are read from a streaming replica, and a request always sees everything written before it.
const admin = { username: 'admin', password: 'replica-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'error',
  SEED: 'sample',
}
const writes = roundCount('REPLICA_WRITES', { full: 20 })
const timeoutMs = 60_000 + writes * 500
const data = dataFolder()
let primary: TcpServer
let replica: TcpServer
let app: RunningApp
let operator: HttpUser
let written = 0

beforeAll(async () => {
  primary = await tcpServer()
  replica = await tcpServer({ follows: primary })
  app = await runApp({
    dataDir: data.path,
    env: { ...env, DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replica.url },
  })
  operator = await loggedInUser(app.url, admin)
}, 90_000)
afterAll(async () => {
  await app.stop()
  await replica.stop()
  await primary.stop()
  data.remove()
}, 60_000)

async function readsFrom(): Promise<{ primary: number; replica: number }> {
  const { body } = await sendRequest(`${app.url}/metrics`)
  const of = (from: string) =>
    Number(new RegExp(`^sauce_list_reads_total\\{from="${from}"\\} (\\d+)`, 'm').exec(body)?.[1] ?? 0)
  return { primary: of('primary'), replica: of('replica') }
}

/** Writes as a visitor and immediately reads the list as an administrator. */
async function writeAndRead(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const message = `Is number ${++written} there already?`
    const created = await sendRequest(`${app.url}/api/inquiries`, {
      method: 'POST',
      body: { name: 'Somebody', email: 'somebody@example.org', message },
    })
    expect(created.status).toBe(200)
    const list = await sendRequest(`${app.url}/api/admin/inquiries`, { cookie: operator.cookie() })
    expect(list.status).toBe(200)
    expect(list.body).toContain(message)
  }
}

test(
  'a list read from the replica contains the latest write',
  async () => {
    await writeAndRead(writes)
    expect((await readsFrom()).replica).toBeGreaterThan(0)

    type Plan = {
      id: number
      tier: number
      connections: number
      price: number
      popular: boolean
      hidden: boolean
      version: string
    }
    for (let price = 5_001; price <= 5_005; price++) {
      const plans = (await operator.send(app.url, 'GET', '/api/admin/plans')).body as unknown as Plan[]
      const { id, tier, connections, popular, hidden, version } = plans[0]!
      const body = { tier, connections, popular, hidden, version, price, features: ['Picture'] }
      expect((await operator.send(app.url, 'PUT', `/api/admin/plans/${id}`, body)).status).toBe(200)
      await expect.poll(async () => (await sendRequest(`${app.url}/api/plans`)).body).toContain(`"price":${price}`)
    }
  },
  timeoutMs,
)

test(
  'a lagging replica is not read until it has caught up',
  async () => {
    const client = await replica.superuser()
    await client.query('select pg_wal_replay_pause()')
    await writeAndRead(writes)
    const lagging = await readsFrom()
    expect(lagging.primary).toBeGreaterThan(0)
    await client.query('select pg_wal_replay_resume()')
    await client.end()
    await expect
      .poll(
        async () => {
          await writeAndRead(1)
          return (await readsFrom()).replica
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(lagging.replica)
  },
  timeoutMs,
)

test(
  'a promoted replica is no longer read, has every acknowledged write, and serves as the new primary',
  async () => {
    const before = written
    const client = await replica.superuser()
    await expect
      .poll(async () => (await client.query('select count(*)::int as count from pg_stat_wal_receiver')).rows[0].count, {
        timeout: 10_000,
      })
      .toBe(1)
    const source = await primary.superuser()
    const { rows } = await source.query('select pg_current_wal_flush_lsn()::text as lsn')
    await expect
      .poll(
        async () =>
          (await client.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as has', [rows[0].lsn])).rows[0].has,
      )
      .toBe(true)
    expect((await client.query('select pg_promote()')).rows[0].pg_promote).toBe(true)
    await client.end()
    await source.end()
    await writeAndRead(writes)

    const other = await runApp({ dataDir: data.path, env: { ...env, DATABASE_URL: replica.url } })
    const pageOf = async (page: number) =>
      (await sendRequest(`${other.url}/api/admin/inquiries?pageSize=500&page=${page}`, { cookie: operator.cookie() }))
        .body
    const list = (await pageOf(1)) + (await pageOf(2))
    for (let number = 1; number <= before; number++) expect(list).toContain(`Is number ${number} there already?`)
    expect(list).not.toContain(`Is number ${before + 1} there already?`)
    await other.stop()
  },
  timeoutMs,
)

test(
  'lists are still served when the replica is down',
  async () => {
    replica.kill()
    await writeAndRead(writes)
  },
  timeoutMs,
)
