import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditLog, mailboxReader, mails, paymentMails } from '#server/db/tables.ts'
import type { SignedIn, TestApp } from '../../../test/harness/app.ts'
import type { Dovecot } from '../../../test/harness/dovecot.ts'
import { type MailboxForm, type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'
import { layouts, mailFields } from '../../../test/harness/payment-layouts.ts'
import { signedMail, testResolver } from '../../../test/harness/payment-mails.ts'
import { getMailboxSettings, readSampleEmail, testMailbox, updateMailboxSettings } from './admin-mailbox-contract.ts'
import { watchQuiet } from './server/mailbox/quiet.ts'
import { readSample } from './server/mailbox/read-sample.ts'

let app: TestApp
let admin: SignedIn
let dovecot: Dovecot
let world: MailboxWorld
beforeAll(async () => {
  world = await mailboxWorld()
  ;({ app, admin, dovecot } = world)
})
afterAll(() => world.close())

describe('the connection', () => {
  const testWith = (changes: Partial<MailboxForm> = {}) => {
    const { host, port, tls, username, password, folder, ca } = world.form(changes)
    return admin.client.call(testMailbox, { body: { host, port, tls, username, password, folder, ca } })
  }

  test.each<[string, () => Partial<MailboxForm>, RegExp]>([
    ['an unknown server', () => ({ host: 'mail.invalid' }), /cannot be reached/],
    ['a closed port', () => ({ port: 1 }), /cannot be reached.*ECONNREFUSED/],
    ['an unknown certificate', () => ({ ca: '' }), /certificate of the mail server is not valid/],
    ['TLS on a port for STARTTLS', () => ({ port: dovecot.plainPort }), /does not offer this kind of encryption/],
    ['a wrong password', () => ({ password: 'wrong' }), /refused the username or the password/],
    ['a missing folder', () => ({ folder: 'Payments' }), /no such folder/],
  ])('%s is reported', async (_, changes, message) => {
    const result = await testWith(changes())
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(message) })
  })

  test('works with TLS and with STARTTLS, and is audited without the password', async () => {
    expect(await testWith()).toEqual({ ok: true, message: 'Connected. The folder INBOX has 0 emails.' })
    expect(await testWith({ tls: 'starttls', port: dovecot.plainPort })).toMatchObject({ ok: true })
    const entries = await app.db.select().from(auditLog).where(eq(auditLog.action, 'mailbox.test'))
    expect(entries.at(-1)).toMatchObject({ after: { host: dovecot.host, outcome: 'ok' } })
    expect(JSON.stringify([entries, app.logs])).not.toContain(dovecot.password)
  })

  test('a private address is refused unless it is allowed', async () => {
    app.context.config.mailboxAllowPrivate = false
    onTestFinished(() => {
      app.context.config.mailboxAllowPrivate = true
      app.restart()
    })
    app.restart()
    expect(await testWith()).toMatchObject({ ok: false, message: expect.stringMatching(/private address/) })
  })
})

describe('the settings', () => {
  test('require a password, store it sealed, and require it again for another account', async () => {
    await expect(world.save({ password: '' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'value.password' }],
    })
    await expect(world.save({ enabled: true, host: '' })).rejects.toMatchObject({ status: 400 })
    expect(await world.save({ enabled: false })).toMatchObject({ passwordSet: true, value: { password: '' } })
    await expect(world.save({ password: '', host: 'other.example' })).rejects.toMatchObject({ status: 400 })
    const { version } = await admin.client.call(getMailboxSettings, {})
    await world.save({ enabled: false, folder: 'INBOX', accountNames: ['Shop TV'] })
    await expect(
      admin.client.call(updateMailboxSettings, { body: { version, value: world.form() } }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'stale',
    })
    expect(await world.status()).toMatchObject({ state: 'off' })
    const everything = await app.db.execute(
      'select value from settings union all select before from audit_log union all select after from audit_log',
    )
    expect(JSON.stringify(everything.rows)).not.toContain(dovecot.password)
  })
})

describe('a sample email', () => {
  const venmo = layouts.find(({ template }) => template === 'venmo-card')!.layout(mailFields())
  const rowCount = async () => (await app.db.select().from(paymentMails)).length

  test('is refused if it is empty, and not read if the sender is unknown', async () => {
    const call = (body: string) => admin.client.call(readSampleEmail, { body: new TextEncoder().encode(body) })
    await expect(call('')).rejects.toMatchObject({ status: 400 })
    expect(await call('Hello')).toMatchObject({ isTrusted: false, outcome: 'ignored', reason: 'unknown_sender' })
    const unsigned = (await signedMail(venmo, { isSigned: false })).toString('latin1')
    expect(await call(unsigned)).toMatchObject({
      ...{ isTrusted: false, auth: 'forged', reason: 'not_proven' },
      payments: [{ rail: 'venmo', amount: 3149, payer: 'Ana Ruiz', note: 'SAUCE: ORD-7F3K2G' }],
    })
  })

  test('shows what is read and whether it is trusted, even with the line endings of a browser, and stores nothing', async () => {
    await world.save({ enabled: false })
    const raw = await signedMail(venmo)
    const pasted = Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    for (const bytes of [raw, pasted])
      expect(await readSample(app.db, bytes, testResolver)).toMatchObject({
        ...{ isTrusted: true, auth: 'proven', signedBy: 'venmo.com', isKnownLayout: true, reason: null },
        payments: [{ amount: 3149, currency: 'USD', isFinal: true, providerReference: '4691000000000000101' }],
      })
    const foreign = await signedMail(venmo, { to: 'attacker@mail.example', isSigned: false })
    expect(await readSample(app.db, foreign, testResolver)).toMatchObject({
      ...{ isTrusted: false, reason: 'not_proven', alsoAgainst: 'other_recipient', payments: [] },
    })
    expect(await rowCount()).toBe(0)
  })
})

describe('a period of three days without a payment email', () => {
  test('is a warning if one arrived on most days before, and emailed to administrators once', async () => {
    await world.save({ enabled: true })
    const check = () => app.db.update(mailboxReader).set({ checkedAt: new Date().toISOString() })
    const insert = (days: number[]) =>
      app.db.insert(paymentMails).values(
        days.map((day) => ({
          ...{
            sourceKey: `quiet ${day}`,
            mailbox: 'pay',
            uidValidity: 1n,
            uid: day,
            messageId: '',
            sender: 'a@b.example',
          },
          ...{ subject: '', bytes: 1, auth: 'proven' as const, outcome: 'payment' as const },
          receivedAt: new Date().toISOString(),
          readAt: new Date(Date.now() - day * 86_400_000).toISOString(),
        })),
      )
    const notices = async () =>
      (await app.db.select().from(mails).where(eq(mails.template, 'admin_notice'))).filter(
        ({ data }) => data.event === 'mailbox_quiet',
      ).length
    await insert([4, 5, 6, 7, 8, 9])
    await check()
    expect(await watchQuiet(app.db)).toBe(0)
    await insert([10])
    await app.db.update(mailboxReader).set({ checkedAt: new Date(Date.now() - 3_600_000).toISOString() })
    expect(await watchQuiet(app.db)).toBe(0)
    await check()
    for (let round = 0; round < 2; round++) expect(await watchQuiet(app.db)).toBe(1)
    expect(await notices()).toBe(1)
    expect(await world.status()).toMatchObject({ quietSince: expect.any(String) })
    await insert([2])
    expect(await world.status()).toMatchObject({ quietSince: null })
    await world.save({ enabled: false })
  })
})
