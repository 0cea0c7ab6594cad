import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '#server/app.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import type { Address } from '#server/db/connect.ts'
import { localCertificate } from '../harness/certificate.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { type FakePanel, linePassword, startFakePanel } from '../harness/fake-panel.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { type Sink, startSink } from '../harness/smtp-sink.ts'

// Every secret that people or the operator hand to one running process, none like anything else; whatever it says or keeps is searched for them.
const drawn = (name: string) => `canary-${name}-${randomBytes(9).toString('hex')}`
const secretKey = randomBytes(32)
const secrets: Record<string, string> = {
  'secret key': secretKey.toString('base64'),
  'administrator’s password': drawn('admin'),
  'SMTP password': drawn('smtp'),
  'panel key': drawn('panel'),
  'metrics token': drawn('metrics'),
  password: drawn('password'),
  'new password': drawn('changed'),
  'wrong password': drawn('wrong'),
  'password typed as a name': drawn('name'),
  'IPTV password': linePassword,
  'trial password': drawn('trial'),
  'confirmation code': drawn('code'),
}

/** Everything heard, by where it was heard. */
const heard = new Map<string, string[]>()
const note = (place: string, text: string) => heard.set(place, [...(heard.get(place) ?? []), text])

type Setup = { app: RunningApp; database: TestDatabase; panel: FakePanel; sink: Sink; folder: string }
const urlOf = (address: Address): string =>
  typeof address === 'string'
    ? address
    : `postgres://${address.user}@${address.host}:${address.port}/${address.database}`

/** The real process, with a database, a panel and a relay of its own. */
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
type Person = ReturnType<typeof recordingClient>
/** A client whose responses are all recorded. */
function recordingClient(who: string, url: string) {
  let cookie = ''
  const ask = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const headers = { origin: url, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    note(`answers to ${who}`, text)
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
  return { ask }
}
const pages = ['/', '/channels', '/auth', '/account', '/invoices', '/checkout', '/admin', '/admin/settings', '/nowhere']
const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(({ path }) => path)

test('no secret is said, logged, shown, mailed or stored but where it has to be', async () => {
  const { app, database, panel, sink, folder } = await start()
  const [visitor, customer, stranger, admin] = ['anonymous', 'the customer', 'a stranger', 'the administrator'].map(
    (who) => recordingClient(who, app.url),
  ) as [Person, Person, Person, Person]
  const { password, 'new password': newPassword } = secrets
  const account = (username: string) => ({ username, email: `${username}@example.org`, password })
  await visitor.ask('POST', '/api/login', { username: 'carla', password: secrets['wrong password'] })
  await visitor.ask('POST', '/api/login', { username: secrets['password typed as a name'], password })
  await visitor.ask('POST', '/api/login', `{"password":"${secrets['wrong password']}`)
  await customer.ask('POST', '/api/register', account('carla'))
  await stranger.ask('POST', '/api/register', account('sven'))
  await admin.ask('POST', '/api/login', { username: 'admin', password: secrets['administrator’s password'] })

  // Everything that takes a secret, in the right way and in a wrong one.
  const line = { iptvUsername: 'line.7', iptvPassword: linePassword }
  for (const name of ['failing', 'html', 'nobody'])
    await customer.ask('POST', '/api/iptv/validate', { ...line, iptvUsername: name })
  expect(await customer.ask('POST', '/api/iptv/sync', line)).toMatchObject({ synced: true })
  const provisioning = (await admin.ask('GET', '/api/admin/provisioning')) as { version: string; value: Body }
  const withKey = { ...provisioning.value, kind: 'xui-admin', address: panel.lines.address, key: secrets['panel key'] }
  await admin.ask('POST', '/api/admin/provisioning/test', withKey)
  expect(
    await admin.ask('PUT', '/api/admin/provisioning', { version: provisioning.version, value: withKey }),
  ).toMatchObject({ keySet: true })
  const trial = await customer.ask('POST', '/api/trial-requests', {
    device: 'Fire TV',
    message: 'To see whether it runs.',
  })
  const granted = {
    trialUsername: 'trial-7',
    trialPassword: secrets['trial password'],
    trialServer: 'http://line.example:8080',
  }
  await admin.ask('PUT', `/api/admin/trial-requests/${trial.id}`, {
    ...granted,
    status: 'approved',
    expiryDate: 'never',
  })
  const approved = { ...granted, status: 'approved', expiryDate: new Date(Date.now() + 86_400_000).toISOString() }
  expect(await admin.ask('PUT', `/api/admin/trial-requests/${trial.id}`, approved)).toMatchObject({
    status: 'approved',
  })
  const [plan] = (await visitor.ask('GET', '/api/plans')) as unknown as { id: number }[]
  const order = { planId: plan!.id, email: 'carla@example.org' }
  const { invoiceNumber } = await customer.ask('POST', '/api/create-invoice', order)
  const payment = { ...order, invoiceNumber, paymentMethod: 'cashapp', confirmationCode: secrets['confirmation code'] }
  await stranger.ask('POST', '/api/submit-payment', payment)
  expect(await customer.ask('POST', '/api/submit-payment', payment)).toMatchObject({ status: 'pending' })
  await customer.ask('PUT', '/api/account/password', { currentPassword: secrets['wrong password'], newPassword })
  expect(await customer.ask('PUT', '/api/account/password', { currentPassword: password, newPassword })).toMatchObject({
    username: 'carla',
  })
  await visitor.ask('POST', '/api/forgot-password', { email: 'carla@example.org' })
  await expect
    .poll(() => sink.mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1]).find(Boolean), { timeout: 10_000 })
    .toBeTruthy()
  secrets['token of a reset'] = sink.mails.map(({ text }) => /token=([\w-]+)/.exec(text)?.[1]).find(Boolean)!

  for (const who of [visitor, customer, stranger, admin])
    for (const path of [...lists, ...pages, `/invoice/${invoiceNumber}`]) await who.ask('GET', path)
  await customer.ask('POST', '/api/logout', {})

  for (const { raw, text, html } of sink.mails) note('mails', `${raw}${text}${html}`)
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  )
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`)
    for (const { row } of rows) note(`table ${name}`, row)
  }
  const file = join(folder, 'backup.gz')
  await writeBackup({ pool: database.pool, key: secretKey, file })
  note('backup', gunzipSync(readFileSync(file)).toString())
  await app.stop()
  note('log', app.output())

  const found = [...heard].flatMap(([place, texts]) => {
    const all = texts.join('\n')
    return Object.entries(secrets).flatMap(([name, secret]) =>
      spellings(secret).some((spelling) => all.includes(spelling)) ? [`${name}: ${place}`] : [],
    )
  })
  expect(found.toSorted()).toEqual(
    [
      'confirmation code: answers to the administrator',
      'confirmation code: answers to the customer',
      'confirmation code: backup',
      'confirmation code: table invoices',
      'token of a reset: mails',
      'trial password: answers to the administrator',
      'trial password: answers to the customer',
    ].toSorted(),
  )
  expect(Object.keys(secrets).filter((name) => name.startsWith('session'))).toHaveLength(4)
  expect(heard.get('log')!.join('\n').split('\n').length).toBeGreaterThan(20)
}, 60_000)

/** The encodings of a secret in an address, in JSON, in a byte dump and in an email. */
function spellings(secret: string): string[] {
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
