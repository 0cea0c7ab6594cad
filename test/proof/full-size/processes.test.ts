import { setTimeout as sleep } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import type { ActiveVisitors } from '#features/visitors/admin-contract.ts'
import { connect } from '#server/db/connect.ts'
import { invoices } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { expectInvariants } from '../../harness/invariants.ts'
import { metricByProcess, processesOf, sendRequest } from '../../harness/one-port.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { silentLog } from '../../harness/silent-log.ts'

// Several app processes behind one port; every request uses a new connection.
const admin = { username: 'admin', password: 'processes-only-here' }
const counts = (process.env.PROCESS_COUNTS ?? '2').split(',').map(Number)
const kills = Number(process.env.PROCESS_KILLS ?? 1)

describe.each(counts)('%i processes behind one port', (count) => {
  const env = {
    PROCESSES: String(count),
    ADMIN_USERNAME: admin.username,
    ADMIN_PASSWORD: admin.password,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    SEED: 'sample',
  }
  const data = dataFolder()
  const start = () => runApp({ dataDir: data.path, env })
  const everyProcess = Array.from({ length: count }, (_, at) => String(at + 1))
  let app: RunningApp
  let operator: HttpUser
  let planId: number
  let host = 0
  const newAddress = () => `10.${count}.${host >> 8}.${host++ & 255}`

  const allReady = () =>
    vi.waitUntil(
      async () =>
        [...(await metricByProcess(app.url, 'sauce_sockets')).keys()].toSorted().join() === everyProcess.join(),
      {
        timeout: 60_000,
        interval: 100,
      },
    )
  const asOperator = async <T>(path: string, options: object = {}): Promise<T> => {
    const { status, body } = await sendRequest(app.url + path, { cookie: operator.cookie(), ...options })
    expect({ path, status }).toEqual({ path, status: 200 })
    return JSON.parse(body) as T
  }
  const fromEveryProcess = <T>(request: () => Promise<T>) => Promise.all(Array.from({ length: 6 * count }, request))

  beforeAll(async () => {
    app = await start()
    await allReady()
    operator = await loggedInUser(app.url, admin)
    const plans = JSON.parse((await sendRequest(`${app.url}/api/plans`)).body) as { id: number; months: number }[]
    planId = plans.find(({ months }) => months === 3)!.id
  }, 120_000)
  afterAll(async () => {
    await app.stop()
    data.remove()
  }, 60_000)

  test('a login at one process is valid at all of them', async () => {
    const answers = await fromEveryProcess(() => sendRequest(`${app.url}/api/user`, { cookie: operator.cookie() }))
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.parse(body).username}`))).toEqual(
      new Set(['200 admin']),
    )
    const requestCounts = await metricByProcess(app.url, 'sauce_http_requests_total', 'route="/api/user"')
    expect([...requestCounts.keys()].toSorted()).toEqual(everyProcess)
  })

  test('all processes share one rate limit, for sequential and for concurrent requests', async () => {
    const ip = newAddress()
    const wrong = () =>
      sendRequest(`${app.url}/api/login`, {
        method: 'POST',
        ip,
        body: { username: admin.username, password: 'not-this-one' },
      })
    const tries: number[] = []
    for (let attempt = 0; attempt < 5 + 2 * count; attempt++) tries.push((await wrong()).status)
    expect(tries).toEqual([...Array(5).fill(401), ...Array(2 * count).fill(429)])

    const from = newAddress()
    const inquiry = { name: 'Somebody', email: 'somebody@example.org', message: 'How many screens is that at once?' }
    const answers = await fromEveryProcess(() =>
      sendRequest(`${app.url}/api/inquiries`, { method: 'POST', ip: from, body: inquiry }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6 * count - 5)
  })

  test('all processes show a changed plan and a changed setting in public responses within seconds', async () => {
    const shown = async (path: string, text: string) =>
      (await fromEveryProcess(() => sendRequest(app.url + path))).filter(({ body }) => body.includes(text)).length
    for (const path of ['/api/plans', '/pricing', '/']) await fromEveryProcess(() => sendRequest(app.url + path))
    const cachedResponses = await metricByProcess(app.url, 'sauce_ready_answers')
    for (const number of everyProcess)
      expect(cachedResponses.get(number), `cached by process ${number}`).toBeGreaterThanOrEqual(3)

    type Plan = {
      id: number
      tier: number
      connections: number
      price: number
      features: string[]
      popular: boolean
      hidden: boolean
      version: string
    }
    const plan = (await asOperator<Plan[]>('/api/admin/plans')).find(({ id }) => id === planId)!
    const { tier, connections, price, popular, hidden, version } = plan
    const edit = { tier, connections, price, popular, hidden, version, features: [`Shown by ${count} processes`] }
    await asOperator(`/api/admin/plans/${planId}`, { method: 'PUT', body: edit })
    for (const path of ['/api/plans', '/pricing'])
      await expect.poll(() => shown(path, edit.features[0]!), { timeout: 10_000 }).toBe(6 * count)

    const { version: brandVersion, live } = await asOperator<{ version: string; live: object }>('/api/admin/brand')
    const value = { ...live, name: `Many ${count} TV`, mascot: false }
    await asOperator('/api/admin/brand/publish', { method: 'POST', body: { version: brandVersion, value } })
    await expect.poll(() => shown('/', `Many ${count} TV`), { timeout: 10_000 }).toBe(6 * count)
  })

  type Page = { socket: WebSocket; path: string }
  async function open(path: string, ip: string): Promise<Page> {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws`, {
      headers: { origin: app.url, 'x-forwarded-for': ip, 'user-agent': 'a browser/1' },
    })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.send(JSON.stringify({ type: 'page', path }))
    return { socket, path }
  }
  const paths = async () =>
    (await asOperator<ActiveVisitors>('/api/admin/active-visitors')).visitors
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/open-'))

  test('changes of a customer reach their pages at every process, and no other pages', async () => {
    const [buyer, bystander] = [await loggedInUser(app.url), await loggedInUser(app.url)]
    const { body } = await buyer.send(app.url, 'POST', '/api/create-invoice', { planId, email: 'buyer@example.org' })
    await buyer.send(app.url, 'POST', '/api/submit-payment', {
      planId,
      paymentMethod: 'venmo',
      confirmationCode: 'C-1',
      invoiceNumber: body.invoiceNumber,
    })
    const userSockets = await Promise.all([1, 2, 3, 4].map(() => buyer.listen(app.url)))
    const other = await bystander.listen(app.url)
    const socketCounts = await metricByProcess(app.url, 'sauce_sockets')
    expect([...socketCounts.values()].filter((sockets) => sockets > 0).length).toBeGreaterThanOrEqual(2)
    const { invoice } = (await buyer.send(app.url, 'GET', `/api/invoices/${body.invoiceNumber}`)).body as {
      invoice: { id: number }
    }
    await asOperator(`/api/admin/invoices/${invoice.id}`, { method: 'PUT', body: { status: 'paid' } })
    await expect
      .poll(() => userSockets.filter(({ changedEndpoints: endpoints }) => endpoints.includes('GET /api/user')).length, {
        timeout: 10_000,
      })
      .toBe(userSockets.length)
    expect(other.changedEndpoints).toEqual([])
    for (const { close } of [...userSockets, other]) close()
  })

  test(
    'kill -9 of one process under load: no acknowledged write is lost, the count of visitors is correct within 30 s, the process restarts',
    async () => {
      const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
      const database = connect(embedded.connection, { log: silentLog, connectTimeoutMs: 15_000 })
      // Retries, as a page does, if the request reached the process that is being killed.
      const reopen = (path: string): ReturnType<typeof open> =>
        open(path, newAddress()).catch(async () => {
          await sleep(50)
          return reopen(path)
        })
      for (let kill = 0; kill < kills; kill++) {
        const pages = await Promise.all(
          Array.from({ length: 4 * count }, (_, at) => open(`/open-${kill}-${at}`, newAddress())),
        )
        await expect.poll(async () => (await paths()).length, { timeout: 30_000 }).toBe(4 * count)
        const submitted: string[] = []
        let isOver = false
        const buy = async () => {
          const ip = newAddress()
          const name = `buyer-${ip.replaceAll('.', '-')}`
          const { cookie, status } = await sendRequest(`${app.url}/api/register`, {
            method: 'POST',
            ip,
            body: { username: name, email: `${name}@example.org`, password: 'correct-horse' },
          })
          if (status !== 200) return
          const as = { method: 'POST', ip, ...(cookie && { cookie }) }
          const { invoiceNumber } = JSON.parse(
            (
              await sendRequest(`${app.url}/api/create-invoice`, {
                ...as,
                body: { planId, email: 'buyer@example.org' },
              })
            ).body,
          )
          const payment = { planId, paymentMethod: 'creditcard', invoiceNumber }
          if ((await sendRequest(`${app.url}/api/submit-payment`, { ...as, body: payment })).status === 200)
            submitted.push(invoiceNumber)
        }
        const buyers = Promise.all(
          Array.from({ length: 4 }, async () => {
            while (!isOver) await buy().catch(() => sleep(20))
          }),
        )
        await expect.poll(() => submitted.length, { timeout: 30_000 }).toBeGreaterThan(4)

        const before = processesOf(app.pid)
        const victim = before[kill % before.length]!
        const closed = pages.map(
          ({ socket, path }) => new Promise<string>((resolve) => socket.once('close', () => resolve(path))),
        )
        process.kill(victim, 'SIGKILL')
        const soFar = submitted.length
        // Disconnected pages reconnect, and each visitor is counted once.
        void Promise.all(closed.map(async (path) => pages.push(await reopen(await path))))
        await expect
          .poll(async () => (await paths()).toSorted(), { timeout: 30_000 })
          .toEqual(
            pages
              .slice(0, 4 * count)
              .map(({ path }) => path)
              .toSorted(),
          )
        await expect.poll(() => submitted.length, { timeout: 30_000 }).toBeGreaterThan(soFar + 4)
        isOver = true
        await buyers
        await allReady()
        expect(processesOf(app.pid)).not.toContain(victim)
        expect(processesOf(app.pid)).toHaveLength(count)

        const rows = await database.db
          .select({ number: invoices.invoiceNumber, status: invoices.status })
          .from(invoices)
          .where(inArray(invoices.invoiceNumber, submitted))
        expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(submitted.length)
        await expectInvariants(database.db)
        for (const { socket } of pages) socket.removeAllListeners('close').terminate()
        await expect.poll(async () => (await paths()).length, { timeout: 30_000 }).toBe(0)
      }
      await database.close()
      await embedded.stop()
    },
    60_000 + kills * 60_000,
  )
})
