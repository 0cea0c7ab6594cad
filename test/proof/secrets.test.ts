import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '#server/app.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { localCertificate } from '../harness/certificate.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { type FakePanel, linePassword, startFakePanel } from '../harness/fake-panel.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { type Sink, startSink } from '../harness/smtp-sink.ts'
import { urlOf } from '../harness/test-server.ts'

// A running process gets unique values for all secrets of users and the operator. Its responses, logs, emails and tables are searched for them.
const randomSecret = (name: string) => `canary-${name}-${randomBytes(9).toString('hex')}`
const secretKey = randomBytes(32)
const secrets: Record<string, string> = {
  'secret key': secretKey.toString('base64'),
  'administrator’s password': randomSecret('admin'),
  'SMTP password': randomSecret('smtp'),
  'panel key': randomSecret('panel'),
  'metrics token': randomSecret('metrics'),
  password: randomSecret('password'),
  'new password': randomSecret('changed'),
  'wrong password': randomSecret('wrong'),
  'password typed as a name': randomSecret('name'),
  'IPTV password': linePassword,
  'trial password': randomSecret('trial'),
  'confirmation code': randomSecret('code'),
}

/** Every recorded text by its source. */
const recorded = new Map<string, string[]>()
const record = (source: string, text: string) => recorded.set(source, [...(recorded.get(source) ?? []), text])

type Setup = { app: RunningApp; database: TestDatabase; panel: FakePanel; sink: Sink; folder: string }

/** Starts the app with a database, a panel and an SMTP server. */
async function start(): Promise<Setup> {
  const data = dataFolder()
  onTestFinished(data.remove)
  const database = await createTestDatabase()
  onTestFinished(database.close)
  const proxy = await proxyTo(database.address)
  const panel = await startFakePanel()
  onTestFinished(panel.close)
  const tls = localCertificate()
  const authority = join(data.path, 'authority.pem')
  writeFileSync(authority, tls.cert, { mode: 0o644 })
  const sink = await startSink({ tls, login: { user: 'sauce', pass: secrets['SMTP password']! } })
  const env = {
    DATABASE_URL: urlOf(proxy.address),
    NODE_EXTRA_CA_CERTS: authority,
    SECRET_KEY: secrets['secret key']!,
    ADMIN_PASSWORD: secrets['administrator’s password']!,
    METRICS_TOKEN: secrets['metrics token']!,
    SMTP_URL: `smtp://sauce:${secrets['SMTP password']}@localhost:${sink.port}`,
    MAIL_FROM: 'tv@example.org',
    PANEL_URL: panel.url,
    PANEL_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'trace',
  }
  onTestFinished(sink.close)
  const app = await runApp({ dataDir: data.path, env, remember: 100_000 })
  onTestFinished(app.stop)
  return { app, database, panel, sink, folder: data.path }
}

type Body = Record<string, unknown>
type RecordingClient = ReturnType<typeof recordingClient>
/** A client whose responses are all recorded. */
function recordingClient(who: string, url: string) {
  let cookie = ''
  const send = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = { origin: url, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    record(`responses to ${who}`, text)
    const setCookie = response.headers.getSetCookie()[0]?.split(';')[0]
    if (setCookie) {
      cookie = setCookie
      const token = setCookie.split('=')[1]
      if (token) secrets[`session ${Object.keys(secrets).length} of ${who}`] = token
    }
    return response.headers.get('content-type')?.startsWith('application/json')
      ? (JSON.parse(text) as Body)
      : { status: response.status }
  }
  return { send }
}
const pages = ['/', '/channels', '/auth', '/account', '/invoices', '/checkout', '/admin', '/admin/settings', '/nowhere']
const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(({ path }) => path)

test('secrets appear only in the expected responses, emails and tables, and never in logs', async () => {
  const { app, database, panel, sink, folder } = await start()
  const [visitor, customer, stranger, admin] = ['anonymous', 'the customer', 'a stranger', 'the administrator'].map(
    (who) => recordingClient(who, app.url),
  ) as [RecordingClient, RecordingClient, RecordingClient, RecordingClient]
  const { password, 'new password': newPassword } = secrets
  const account = (username: string) => ({ username, email: `${username}@example.org`, password })
  await visitor.send('POST', '/api/login', { username: 'carla', password: secrets['wrong password'] })
  await visitor.send('POST', '/api/login', { username: secrets['password typed as a name'], password })
  await visitor.send('POST', '/api/login', `{"password":"${secrets['wrong password']}`)
  await customer.send('POST', '/api/register', account('carla'))
  await stranger.send('POST', '/api/register', account('sven'))
  await admin.send('POST', '/api/login', { username: 'admin', password: secrets['administrator’s password'] })

  // Every request with a secret, once valid and once invalid.
  const line = { iptvUsername: 'line.7', iptvPassword: linePassword }
  for (const name of ['failing', 'html', 'nobody'])
    await customer.send('POST', '/api/iptv/validate', { ...line, iptvUsername: name })
  expect(await customer.send('POST', '/api/iptv/sync', line)).toMatchObject({ synced: true })
  const provisioning = (await admin.send('GET', '/api/admin/provisioning')) as { version: string; value: Body }
  const withKey = { ...provisioning.value, kind: 'xui-admin', address: panel.lines.address, key: secrets['panel key'] }
  await admin.send('POST', '/api/admin/provisioning/test', withKey)
  expect(
    await admin.send('PUT', '/api/admin/provisioning', { version: provisioning.version, value: withKey }),
  ).toMatchObject({ keySet: true })
  const trial = await customer.send('POST', '/api/trial-requests', {
    device: 'Fire TV',
    message: 'To see whether it runs.',
  })
  const access = {
    trialUsername: 'trial-7',
    trialPassword: secrets['trial password'],
    trialServer: 'http://line.example:8080',
  }
  await admin.send('PUT', `/api/admin/trial-requests/${trial.id}`, {
    ...access,
    status: 'approved',
    expiryDate: 'never',
  })
  const approved = { ...access, status: 'approved', expiryDate: new Date(Date.now() + 86_400_000).toISOString() }
  expect(await admin.send('PUT', `/api/admin/trial-requests/${trial.id}`, approved)).toMatchObject({
    status: 'approved',
  })
  const [plan] = (await visitor.send('GET', '/api/plans')) as unknown as { id: number }[]
  const order = { planId: plan!.id, email: 'carla@example.org' }
  const { invoiceNumber } = await customer.send('POST', '/api/create-invoice', order)
  const payment = { ...order, invoiceNumber, paymentMethod: 'cashapp', confirmationCode: secrets['confirmation code'] }
  await stranger.send('POST', '/api/submit-payment', payment)
  expect(await customer.send('POST', '/api/submit-payment', payment)).toMatchObject({ status: 'pending' })
  await customer.send('PUT', '/api/account/password', { currentPassword: secrets['wrong password'], newPassword })
  expect(await customer.send('PUT', '/api/account/password', { currentPassword: password, newPassword })).toMatchObject(
    {
      username: 'carla',
    },
  )
  await visitor.send('POST', '/api/forgot-password', { email: 'carla@example.org' })
  await expect
    .poll(() => sink.mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1]).find(Boolean), { timeout: 10_000 })
    .toBeTruthy()
  secrets['token of a reset'] = sink.mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1]).find(Boolean)!

  const created = await admin.send('POST', '/api/admin/api-keys', {
    name: 'A program',
    scopes: ['reports.read', 'audit.read'],
    endsOn: '',
    currentPassword: secrets['administrator’s password'],
  })
  secrets['API key'] = String(created.key)
  for (const path of ['/api/admin/reports', '/admin/audit.csv', '/api/admin/users', '/api/user'])
    await fetch(app.url + path, { headers: { authorization: `Bearer ${created.key}` } }).then((response) =>
      response.text(),
    )
  for (const who of [visitor, customer, stranger, admin])
    for (const path of [...lists, ...pages, `/invoice/${invoiceNumber}`]) await who.send('GET', path)
  await customer.send('POST', '/api/logout', {})

  for (const { raw, text, html } of sink.mails) record('mails', `${raw}${text}${html}`)
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`)
    for (const { row } of rows) record(`table ${name}`, row)
  }
  const file = join(folder, 'backup.gz')
  await writeBackup({ pool: database.pool, key: secretKey, file })
  record('backup', gunzipSync(readFileSync(file)).toString())
  await app.stop()
  record('log', app.output())

  const found = [...recorded].flatMap(([source, texts]) => {
    const all = texts.join('\n')
    return Object.entries(secrets).flatMap(([name, secret]) =>
      encodings(secret).some((encoding) => all.includes(encoding)) ? [`${name}: ${source}`] : [],
    )
  })
  expect(found.toSorted()).toEqual(
    [
      'API key: responses to the administrator',
      'confirmation code: responses to the administrator',
      'confirmation code: responses to the customer',
      'confirmation code: backup',
      'confirmation code: table invoices',
      'token of a reset: mails',
      'trial password: responses to the administrator',
      'trial password: responses to the customer',
    ].toSorted(),
  )
  expect(Object.keys(secrets).filter((name) => name.startsWith('session'))).toHaveLength(4)
  expect(recorded.get('log')!.join('\n').split('\n').length).toBeGreaterThan(20)
}, 60_000)

/** The encodings of a secret in a URL, in JSON, in a byte dump and in an email. */
function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ]
}
