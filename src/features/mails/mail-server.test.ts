import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { getSetup } from '#features/desk/admin-overview-contract.ts'
import { readSecret } from '#features/settings/server/secrets.ts'
import type { Input } from '#kit/endpoint.ts'
import type { Config } from '#server/config.ts'
import { auditLog, mails } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { localCertificate } from '../../../test/harness/certificate.ts'
import { header } from '../../../test/harness/mail-parts.ts'
import { type Sink, startSink } from '../../../test/harness/smtp-sink.ts'
import { listTemplates } from './admin-contract.ts'
import { getMailServer, updateMailServer } from './admin-server-contract.ts'
import { loadSmtp } from './server/mail-server/load-smtp.ts'
import { sendMails } from './server/service/send-mails.ts'

type Form = Input<typeof updateMailServer>['body']['value']
const tls = localCertificate()
const login = { user: 'tv@mail.example', pass: 'canary password' }
let app: TestApp
let admin: SignedIn
let other: SignedIn
let starttls: Sink
let implicit: Sink
let plain: Sink
const sinks = () => [starttls, implicit, plain]
beforeAll(async () => {
  app = await buildApp({ config: { mailServerAllowPrivate: true } })
  ;[admin, other] = [await app.signInAdmin(), await app.signIn({ role: 'admin' })]
  ;[starttls, implicit, plain] = await Promise.all([
    startSink({ tls, login }),
    startSink({ tls: { ...tls, implicit: true }, login }),
    startSink(),
  ])
})
beforeEach(() => {
  for (const sink of sinks()) sink.mails.length = 0
})
afterAll(() => Promise.all([app.close(), ...sinks().map((sink) => sink.close())]))

const formOf = (sink: Sink, changes: Partial<Form> = {}): Form => ({
  ...{ host: 'localhost', port: sink.port, username: login.user, password: login.pass },
  ...{ address: login.user, name: '', ca: tls.cert, ...changes },
})
/** Changes the configuration until the test ends. */
function configure(changes: Partial<Config>): void {
  const { config } = app.context
  const before = { ...config }
  Object.assign(config, changes)
  onTestFinished(() => void Object.assign(config, before))
}
const read = () => admin.client.call(getMailServer, {})
const save = async (value: Form, by = admin, version?: string) =>
  by.client.call(updateMailServer, { body: { version: version ?? (await read()).version, value } })
const context = () => ({
  ...app.context,
  keys: () => Buffer.alloc(32),
  loadSmtp: () => loadSmtp({ db: app.db, config: app.context.config }),
})

describe('a mail server is refused, and nothing is saved,', () => {
  test.each<[string, () => Form, string, RegExp]>([
    [
      'with a URL instead of a host name',
      () => formOf(starttls, { host: 'https://mail.example' }),
      'host',
      /without https/,
    ],
    ['with an impossible port', () => formOf(starttls, { port: 70_000 }), 'port', /from 1 to 65535/],
    ['without a sender', () => formOf(starttls, { address: '' }), 'address', /address that emails are sent from/],
    ['without a password', () => formOf(starttls, { password: '' }), 'password', /enter the password/],
    ['with a password but no username', () => formOf(starttls, { username: '' }), 'username', /enter the username/],
    ['with a broken certificate', () => formOf(starttls, { ca: 'x' }), 'ca', /certificate cannot be read/],
    ['with an unknown host name', () => formOf(starttls, { host: 'mail.invalid' }), 'host', /no server with this name/],
    ['on a closed port', () => formOf(starttls, { port: 1 }), 'host', /cannot be reached on port 1\./],
    [
      'without a port, if no usual port answers',
      () => formOf(starttls, { port: null, host: '127.0.0.9' }),
      'host',
      /465, 587 or 25/,
    ],
    ['without encryption', () => formOf(plain), 'host', /does not offer encryption on port/],
    [
      'with a certificate of an unknown authority',
      () => formOf(starttls, { ca: '' }),
      'host',
      /certificate .* not valid/,
    ],
    ['with a wrong password', () => formOf(starttls, { password: 'wrong' }), 'password', /refused the username or/],
    ['without the login it needs', () => formOf(implicit, { username: '', password: '' }), 'username', /needs a user/],
  ])('%s', async (_, form, field, message) => {
    const before = await read()
    await expect(save(form())).rejects.toMatchObject({
      status: 400,
      issues: [{ path: `value.${field}`, message: expect.stringMatching(message) }],
    })
    expect(await read()).toEqual(before)
    expect(sinks().flatMap((sink) => sink.mails)).toEqual([])
  })

  test('when it does not accept the sender or the test email', async () => {
    plain.refuse({ at: 'from', code: 550, message: 'not your domain' })
    const open = formOf(plain, { username: '', password: '' })
    await expect(save(open)).rejects.toMatchObject({
      issues: [{ path: 'value.address', message: expect.stringMatching(/not your domain/) }],
    })
    plain.refuse({ at: 'rcpt', code: 550, message: 'unknown user' })
    await expect(save(open)).rejects.toMatchObject({ code: 'test_refused', message: /did not accept.*unknown user/ })
    expect(await read()).toMatchObject({ isSet: false })
  })

  test('at a private address, unless that is allowed', async () => {
    configure({ mailServerAllowPrivate: false })
    const connections = starttls.connections
    await expect(save(formOf(starttls))).rejects.toMatchObject({
      issues: [{ path: 'value.host', message: expect.stringMatching(/private address/) }],
    })
    expect(starttls.connections).toBe(connections)
  })

  test('while the environment sets a mail server', async () => {
    const from = { name: '', address: 'env@mail.example' }
    configure({ smtp: { host: 'env.example', port: 587, tls: 'required', auth: undefined, from } })
    expect(await read()).toMatchObject({ environment: { host: 'env.example', port: 587, sender: from.address } })
    await expect(save(formOf(starttls))).rejects.toMatchObject({ status: 409, code: 'set_by_environment' })
  })
})

test('a mail server is saved with a sealed password after it sent a test email, and then sends all emails', async () => {
  const { version } = await read()
  const saved = await save(formOf(starttls))
  expect(saved).toMatchObject({ isSet: true, passwordSet: true, connection: { port: starttls.port, tls: 'required' } })
  expect(saved.value).toMatchObject({ host: 'localhost', password: '' })
  const [tested] = starttls.mails
  expect(tested).toMatchObject({ to: [admin.user.email], from: login.user, isSecure: true, user: login.user })
  expect(header(tested!, 'subject')).toBe('Test email from SauceTV')
  await expect(save(formOf(implicit), admin, version)).rejects.toMatchObject({ status: 409, code: 'stale' })

  const everything = await app.db.execute(
    'select value from settings union all select before from audit_log union all select after from audit_log union all select data from mails',
  )
  expect(JSON.stringify([everything.rows, app.logs, await read()])).not.toContain(login.pass)
  expect((await admin.client.call(getSetup, {})).done).toContain('mail')
  expect((await admin.client.call(listTemplates, {})).from).toBe(login.user)

  const notices = await app.db.select().from(mails).where(eq(mails.template, 'admin_notice'))
  expect(notices.map(({ recipient }) => recipient)).toEqual(
    expect.arrayContaining([admin.user.email, other.user.email]),
  )
  await app.db.transaction((tx) =>
    enqueueMail(tx, {
      ...{ dedupeKey: 'w', userId: null, recipient: 'olive@example.org' },
      ...{ template: 'welcome', data: { username: 'olive' } },
    }),
  )
  starttls.mails.length = 0
  await sendMails(context())
  expect(starttls.mails.map(({ to }) => to[0])).toEqual(expect.arrayContaining(['olive@example.org', other.user.email]))
})

test('a stored password is used for its own account only, and the former server also sends the notice', async () => {
  expect(await save(formOf(starttls, { password: '', name: 'Harbour TV' }))).toMatchObject({ passwordSet: true })
  await expect(save(formOf(implicit, { password: '', host: '127.0.0.1' }))).rejects.toMatchObject({
    issues: [{ path: 'value.password', message: expect.stringMatching(/another account/) }],
  })
  starttls.mails.length = 0
  const moved = await save(formOf(implicit, { host: '127.0.0.1' }))
  expect(moved.connection).toEqual({ port: implicit.port, tls: 'implicit' })
  const noticed = starttls.mails.filter((mail) => /mail server was changed/.test(header(mail, 'subject')))
  expect(noticed.map(({ to }) => to[0])).toEqual(expect.arrayContaining([admin.user.email, other.user.email]))
  const open = await save(formOf(plain, { username: '', password: '' }))
  expect(open).toMatchObject({ passwordSet: false, connection: { tls: 'offered' } })
  expect(await readSecret(app.db, app.context.config, 'mail-password')).toBeNull()
})

test('a new password can be saved when the stored password cannot be decrypted', async () => {
  await save(formOf(starttls))
  await app.db.execute(
    "update setting_secrets set sealed = 'v2:000000000000:' || repeat('A', 80) where name = 'mail-password'",
  )
  expect(await save(formOf(starttls, { name: 'Again' }))).toMatchObject({ value: { name: 'Again' }, passwordSet: true })
  expect(await readSecret(app.db, app.context.config, 'mail-password')).toBe(login.pass)
})

test('without self-approval, a second administrator must save the same settings', async () => {
  configure({ selfApproval: 'deny' })
  const form = formOf(starttls, { name: 'Two' })
  const before = await read()
  for (const value of [form, form])
    await expect(save(value)).rejects.toMatchObject({ status: 409, code: 'second_administrator' })
  await expect(save({ ...form, name: 'Three' }, other)).rejects.toMatchObject({ code: 'second_administrator' })
  expect(await read()).toEqual(before)
  expect(await save({ ...form, name: 'Three' })).toMatchObject({ value: { name: 'Three' } })
  const asked = await app.db.select().from(auditLog).where(like(auditLog.action, 'admin.request'))
  expect(asked.at(-1)?.after).toMatchObject({ asked: expect.stringMatching(/^Mail server localhost/) })
})
