import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, mailboxReader, mails, settingSecrets } from '#server/db/tables.ts'
import { type FakeMailService, startFakeMailService } from '../../../test/harness/fake-mail-service.ts'
import { type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'
import { connectMailbox, finishMailbox, getMailboxSettings, testMailbox } from './admin-mailbox-contract.ts'

let service: FakeMailService
let world: MailboxWorld
beforeAll(async () => {
  service = await startFakeMailService('desk')
  world = await mailboxWorld(service.introspectionUrl)
})
beforeEach(() => service.failWith(0))
afterAll(async () => {
  await world.close()
  await service.close()
})

const settings = (changes: object = {}) => ({
  ...{ login: 'other' as const, password: '', clientId: service.clientId, clientSecret: service.clientSecret },
  ...{ authorizeUrl: service.authorizeUrl, exchangeUrl: service.exchangeUrl, scope: 'imap offline' },
  ...changes,
})
const stored = () => world.admin.client.call(getMailboxSettings, {})
const begin = async () => service.consent((await world.admin.client.call(connectMailbox, {})).address)
const finish = (body: { code: string; state: string }, client = world.admin.client) =>
  client.call(finishMailbox, { body })
const connect = async () => finish(await begin())
const tryNow = async () => {
  const { value } = await stored()
  const { host, port, tls, username, folder, ca, login } = value
  return world.admin.client.call(testMailbox, { body: { host, port, tls, username, folder, ca, login, password: '' } })
}

describe('connecting the mailbox with a mail service is refused', () => {
  test('while the settings log in with a password', async () => {
    await world.save()
    await expect(world.admin.client.call(connectMailbox, {})).rejects.toMatchObject({ status: 409, code: 'not_oauth' })
  })

  test.each([
    ['without a client ID', { clientId: '' }, 'value.clientId'],
    ['without a token URL', { exchangeUrl: '' }, 'value.exchangeUrl'],
    ['for a URL without encryption', { exchangeUrl: 'http://mail.example/token' }, 'value.exchangeUrl'],
  ])('%s', async (_, changes, path) => {
    await expect(world.save(settings(changes))).rejects.toMatchObject({ status: 400, issues: [{ path }] })
  })

  test('for a `state` that is wrong, used, replaced or of another administrator', async () => {
    await world.save(settings())
    const first = await begin()
    await expect(finish({ ...first, state: 'x' })).rejects.toMatchObject({ status: 409, code: 'not_begun' })
    // A failed attempt invalidates the request.
    await expect(finish(first)).rejects.toMatchObject({ code: 'not_begun' })
    const replaced = await begin()
    const other = await world.app.signInAdmin({ username: 'other_editor' })
    await begin()
    await expect(finish(replaced)).rejects.toMatchObject({ code: 'not_begun' })
    await expect(finish(await begin(), other.client)).rejects.toMatchObject({ code: 'not_begun' })
    expect(await stored()).toMatchObject({ connectedAt: null })
  })

  test('for a code that belongs to another verifier, and when the service refuses the client or fails', async () => {
    const mine = await begin()
    const { state } = service.consent((await world.admin.client.call(connectMailbox, {})).address)
    await expect(finish({ code: mine.code, state })).rejects.toMatchObject({
      code: 'refused',
      serverMessage: expect.stringContaining('Connect the account again'),
    })
    service.failWith(500)
    await expect(connect()).rejects.toMatchObject({ code: 'refused', serverMessage: expect.stringMatching(/HTTP_500/) })
    service.failWith(0)
    await world.save(settings({ clientSecret: 'wrong' }))
    await expect(connect()).rejects.toMatchObject({ code: 'refused' })
    expect(await stored()).toMatchObject({ connectedAt: null })
  })
})

describe('a connected mailbox', () => {
  test('reports that it is not connected, is read after it is connected, and stores its secrets sealed', async () => {
    await world.save(settings())
    expect(await tryNow()).toMatchObject({ ok: false, message: expect.stringMatching(/connect the account first/) })
    const reader = world.reading()
    await expect.poll(async () => (await world.status()).state, { timeout: 10_000 }).toBe('paused')
    expect(JSON.stringify(await world.app.db.select().from(mails))).toContain('mailbox_paused')

    const connected = await connect()
    expect(connected).toMatchObject({ clientSecretSet: true, value: { clientSecret: '' } })
    expect(connected.connectedAt).not.toBeNull()
    reader.wake()
    await world.isRead()
    expect(await tryNow()).toEqual({ ok: true, message: 'Connected. The folder INBOX has 0 emails.' })

    const names = ['mailbox-client-secret', 'mailbox-refresh-token']
    const secrets = await world.app.db.select().from(settingSecrets).where(inArray(settingSecrets.name, names))
    expect(secrets).toHaveLength(2)
    const audited = await world.app.db.select().from(auditLog)
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['mailbox.client_secret', 'mailbox.connect', 'mailbox.pause']),
    )
    const everything = JSON.stringify([secrets, audited, world.app.logs, connected])
    expect(everything).not.toMatch(new RegExp(`${service.clientSecret}|(refresh|access)-[0-9a-f]{8}-`))
  })

  test('reuses an access token, requests a new one when the mail server refuses it, and stores the new refresh token', async () => {
    await connect()
    await tryNow()
    const before = service.requests.length
    await tryNow()
    expect(service.requests.length).toBe(before)
    service.expire()
    await world.dovecot.disconnect()
    await world.app.db.update(mailboxReader).set({ restUntil: new Date(0).toISOString() })
    const reader = world.reading()
    const wakeUntilRead = async () => {
      await world.app.db.update(mailboxReader).set({ restUntil: new Date(0).toISOString() })
      reader.wake()
      return service.requests.length > before && (await world.status()).state
    }
    await expect.poll(wakeUntilRead, { timeout: 15_000, interval: 300 }).toBe('ok')
    await reader.stop()
    service.expire()
    expect((await tryNow()).ok).toBe(false)
    expect((await tryNow()).ok).toBe(true)
  })

  test('pauses and emails the administrators when the consent is withdrawn', async () => {
    await connect()
    service.withdraw()
    service.expire()
    await world.save(settings())
    const reader = world.reading()
    await world.app.db.update(mailboxReader).set({ restUntil: new Date(0).toISOString() })
    reader.wake()
    await expect
      .poll(
        async () => {
          await world.app.db.update(mailboxReader).set({ restUntil: new Date(0).toISOString() })
          reader.wake()
          return (await world.status()).state
        },
        { timeout: 15_000, interval: 300 },
      )
      .toBe('paused')
    expect((await world.app.db.select().from(mailboxReader))[0]!.lastFailure).toContain('Connect the account again')
  })

  test('deletes the consent and the client secret when the client changes, and the consent when the account changes', async () => {
    await connect()
    expect(await world.save(settings({ clientSecret: '' }))).toMatchObject({ clientSecretSet: true })
    expect((await stored()).connectedAt).not.toBeNull()
    await world.save(settings({ clientSecret: '', username: 'other' }))
    expect(await stored()).toMatchObject({ connectedAt: null, clientSecretSet: true })
    await world.save(settings({ clientSecret: '', clientId: 'other-client' }))
    expect(await stored()).toMatchObject({ connectedAt: null, clientSecretSet: false })
  })
})
