import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mails } from '#server/db/tables.ts'
import { enqueueMail, type OutgoingMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { smtp } from '#server/mail/smtp.ts'
import { readSmtpUrl } from '#server/mail/smtp-address.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createUser } from '../../../test/harness/factories.ts'
import { header } from '../../../test/harness/mail-parts.ts'
import { type Sink, startSink } from '../../../test/harness/smtp-sink.ts'
import { openOutbox } from './server/jobs.ts'
import { type SendContext, sendMails } from './server/service/send-mails.ts'

const key = randomBytes(32)
let app: TestApp
let sink: Sink
let context: SendContext
beforeAll(async () => {
  ;[app, sink] = await Promise.all([buildApp(), startSink()])
  const config = { ...readSmtpUrl(sink.url)!, from: { name: '', address: 'mail@saucetv.example' } }
  context = {
    ...app.context,
    keys: () => key,
    loadSmtp: async () => smtp(config, { timeouts: { connectMs: 2_000, silenceMs: 2_000, totalMs: 4_000 } }),
  }
})
afterEach(async () => {
  sink.onMail = undefined
  sink.mails.length = 0
  app.logs.length = 0
  await app.database.pool.query('truncate mails restart identity cascade')
})
afterAll(() => Promise.all([sink.close(), app.close()]))

let serial = 0
const welcome = (overrides: Partial<OutgoingMail<'welcome'>> = {}): OutgoingMail => ({
  dedupeKey: `welcome:${++serial}`,
  userId: null,
  recipient: 'olive@example.org',
  template: 'welcome',
  data: { username: 'olive' },
  ...overrides,
})
const enqueue = (mail: OutgoingMail) => app.db.transaction((tx) => enqueueMail(tx, mail))
const rows = () => app.db.select().from(mails).orderBy(mails.id)
const makeDue = () => app.db.update(mails).set({ dueAt: sql`now()` })
const minutesToWait = async () => {
  const [row] = await app.db
    .select({ minutes: sql<number>`round(extract(epoch from ${mails.dueAt} - now()) / 60)::int` })
    .from(mails)
  return row?.minutes
}

describe('an email that cannot be sent', () => {
  test.each([
    ['an unknown template', { template: 'nothing' }, /no template called nothing/],
    ['data of another template', { template: 'payment_confirmed' }, /invoiceNumber, planName, amount/],
    ['no address', { recipient: 'olive' }, /not an email address/],
    ['two addresses', { recipient: 'olive@example.org, evil@example.org' }, /not an email address/],
    ['a missing link', { template: 'password_reset' }, /no longer stored/],
    [
      'a link sealed for another email',
      { template: 'password_reset', sealed: sealLink(key, 'other', '/reset-password?token=canary') },
      /cannot be decrypted/,
    ],
    [
      'a link to another site',
      { template: 'verify_email', dedupeKey: 'far', sealed: sealLink(key, 'far', '//evil.example/') },
      /cannot be decrypted/,
    ],
  ])('%s: fails immediately with a reason and does not block other emails', async (_case, broken, reason) => {
    await app.db.insert(mails).values({ ...welcome(), ...broken } as typeof mails.$inferInsert)
    await enqueue(welcome())
    expect(await sendMails(context)).toBe(2)
    expect(await rows()).toMatchObject([
      { status: 'failed', attempts: 1, lastError: expect.stringMatching(reason) },
      { status: 'sent' },
    ])
    expect(sink.mails).toHaveLength(1)
    expect(app.logs.join('')).toMatch(reason)
    expect(app.logs.join('')).not.toContain('canary')
  })

  test('is not retried after a permanent refusal by the server', async () => {
    await enqueue(welcome())
    sink.refuse({ at: 'rcpt', code: 550, message: 'no such person' })
    await sendMails(context)
    await makeDue()
    expect(await sendMails(context)).toBe(0)
    expect(await rows()).toMatchObject([
      { status: 'failed', attempts: 1, lastError: expect.stringMatching(/550.*no such person/), sentAt: null },
    ])
  })

  test('is retried after 1, 5, 15 and 60 minutes, then fails', async () => {
    await enqueue(welcome())
    for (const minutes of [1, 5, 15, 60]) {
      sink.refuse({ at: 'rcpt', code: 451 })
      expect(await sendMails(context)).toBe(1)
      expect(await minutesToWait()).toBe(minutes)
      expect(await sendMails(context)).toBe(0)
      await makeDue()
    }
    sink.refuse({ at: 'data', code: 421 })
    await sendMails(context)
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 5, lastError: expect.stringContaining('421') }])
    expect(sink.mails).toEqual([])
  })

  test('is retried after a temporary refusal with the same Message-ID', async () => {
    await enqueue(welcome())
    sink.refuse({ at: 'data', code: 451 })
    await sendMails(context)
    await makeDue()
    await sendMails(context)
    await enqueue(welcome())
    await sendMails(context)
    expect(await rows()).toMatchObject([
      { status: 'sent', attempts: 2, lastError: null, sentAt: expect.any(String) },
      { status: 'sent' },
    ])
    const ids = sink.mails.map((mail) => header(mail, 'message-id'))
    expect(ids).toEqual([
      expect.stringMatching(/^<[0-9a-f]{40}@localhost>$/),
      expect.stringMatching(/^<[0-9a-f]{40}@localhost>$/),
    ])
    expect(new Set(ids).size).toBe(2)
  })
})

describe('an email that is sent', () => {
  test('has HTML and plain text, and the operator’s address as Reply-To', async () => {
    const user = await createUser(app.db, { username: 'olive_1' })
    await enqueue(welcome({ userId: user.id, recipient: user.email }))
    await sendMails(context)
    const [mail] = sink.mails
    expect(mail).toMatchObject({ to: [user.email], from: 'mail@saucetv.example' })
    expect([header(mail!, 'subject'), header(mail!, 'from'), header(mail!, 'reply-to')]).toEqual([
      'Welcome to SauceTV',
      'SauceTV <mail@saucetv.example>',
      'support@saucetv.example',
    ])
    for (const body of [mail!.html, mail!.text])
      for (const expected of ['Hi olive_1,', 'http://localhost:3000/pricing']) expect(body).toContain(expected)
  })

  test('contains its link, which is then deleted from the outbox', async () => {
    const dedupeKey = 'password_reset:1'
    const sealed = sealLink(key, dedupeKey, '/reset-password?token=canary&x="><b>')
    await enqueue({
      dedupeKey,
      userId: null,
      recipient: 'olive@example.org',
      template: 'password_reset',
      data: {},
      sealed,
    })
    await sendMails(context)
    expect(sink.mails[0]!.text).toContain('http://localhost:3000/reset-password?token=canary')
    expect(sink.mails[0]!.html).toContain(
      'href="http://localhost:3000/reset-password?token=canary&amp;x=&quot;&gt;&lt;b&gt;"',
    )
    expect(await rows()).toMatchObject([{ status: 'sent', sealed: null }])
    expect(app.logs.join('')).not.toContain('canary')
  })

  test('attaches the invoice as a PDF for its own customer only', async () => {
    const [owner, other] = [await createUser(app.db), await createUser(app.db)]
    const { invoiceNumber } = await createInvoice(app.db, {
      userId: owner.id,
      status: 'paid',
      paidAt: new Date().toISOString(),
    })
    const data = { invoiceNumber, planName: 'Little Beast', amount: 1_500 }
    for (const { id, email } of [owner, other])
      await enqueue({
        dedupeKey: `payment_confirmed:${id}`,
        userId: id,
        recipient: email,
        template: 'payment_confirmed',
        data,
      })
    await sendMails(context)
    const filesOf = (recipient: string) => sink.mails.find(({ to }) => to[0] === recipient)!.files
    expect(filesOf(owner.email)).toMatchObject([{ name: `Invoice-${invoiceNumber}.pdf` }])
    expect(filesOf(owner.email)[0]!.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(filesOf(other.email)).toEqual([])
  })

  test('escapes hostile text', async () => {
    const reason = '</td><script>alert(1)</script><img src=x onerror=alert(1)>\n<a href="javascript:alert(1)">x</a>'
    await enqueue({
      dedupeKey: 'hostile',
      userId: null,
      recipient: 'olive@example.org',
      template: 'trial_denied',
      data: { adminNotes: reason },
    })
    await sendMails(context)
    expect(sink.mails[0]!.html).not.toMatch(/<script|<img|javascript:alert\(1\)"/)
    expect(sink.mails[0]!.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(sink.mails[0]!.text).toContain('> </td><script>alert(1)</script>')
  })
})

describe('concurrent processes', () => {
  test('five processes send each of sixty emails once', async () => {
    for (let count = 0; count < 60; count++) await enqueue(welcome({ recipient: `olive${count}@example.org` }))
    await Promise.all(Array.from({ length: 5 }, () => sendMails(context)))
    expect(sink.mails).toHaveLength(60)
    expect(new Set(sink.mails.map((mail) => header(mail, 'message-id'))).size).toBe(60)
    expect((await rows()).every((row) => row.status === 'sent' && row.attempts === 1)).toBe(true)
  })

  test('an email whose process died is claimed by another process when the lease expires, not before', async () => {
    await enqueue(welcome())
    const dying: SendContext = { ...context, loadSmtp: async () => ({ send: () => new Promise(() => undefined) }) }
    void sendMails(dying)
    await expect.poll(async () => (await rows())[0]!.attempts).toBe(1)
    expect(await sendMails(context)).toBe(0)
    await makeDue()
    expect(await sendMails(context)).toBe(1)
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2 }])
  })

  test('a process that lost its claim does not overwrite the outcome', async () => {
    await enqueue(welcome())
    let rejectSend: (error: Error) => void = () => undefined
    const slow: SendContext = {
      ...context,
      loadSmtp: async () => ({ send: () => new Promise((_, reject) => (rejectSend = reject)) }),
    }
    const late = sendMails(slow)
    await expect.poll(async () => (await rows())[0]!.attempts).toBe(1)
    await makeDue()
    await sendMails(context)
    rejectSend(new Error('too late'))
    await late
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2, lastError: null }])
  })
})

describe('the outbox', () => {
  test('marks emails as not sent without a mail server', async () => {
    await enqueue(welcome())
    expect(await sendMails({ ...context, loadSmtp: async () => undefined })).toBe(1)
    expect(await rows()).toMatchObject([{ status: 'kept', attempts: 0 }])
  })

  test('wakes up even while it is sending, and stops after the email in flight is sent', async () => {
    const outbox = openOutbox(context)
    await enqueue(welcome())
    let arrived: () => void = () => undefined
    const first = new Promise<void>((resolve) => (arrived = resolve))
    sink.onMail = async () => {
      sink.onMail = undefined
      await enqueue(welcome())
      outbox.wake()
      arrived()
    }
    outbox.wake()
    await first
    await expect.poll(async () => (await rows()).map((row) => row.status)).toEqual(['sent', 'sent'])
    sink.onMail = () => void outbox.stop()
    await enqueue(welcome())
    outbox.wake()
    await expect.poll(() => sink.mails.length).toBe(3)
    await outbox.stop()
    await enqueue(welcome())
    outbox.wake()
    await outbox.stop()
    expect((await rows()).map((row) => row.status)).toEqual(['sent', 'sent', 'sent', 'queued'])
  })

  test('deletes the links of unsent emails after a week, and no other links', async () => {
    const sealed = (dedupeKey: string) => sealLink(key, dedupeKey, '/verify-email?token=canary')
    for (const [dedupeKey, age, status] of [
      ['old', 8, 'kept'],
      ['new', 6, 'kept'],
      ['waiting', 8, 'queued'],
    ] as const) {
      await enqueue({
        dedupeKey,
        userId: null,
        recipient: 'olive@example.org',
        template: 'verify_email',
        data: {},
        sealed: sealed(dedupeKey),
      })
      await app.db
        .update(mails)
        .set({ status, createdAt: sql`now() - make_interval(days => ${age})` })
        .where(eq(mails.dedupeKey, dedupeKey))
    }
    const job = openOutbox(context).jobs.find(({ name }) => name === 'forget-mail-links')!
    expect(await job.run()).toBe(1)
    expect((await rows()).map((row) => row.sealed === null)).toEqual([true, false, false])
  })

  test('deletes emails after 400 days unless they are queued', async () => {
    for (const [dedupeKey, age, status] of [
      ['sent long ago', 401, 'sent'],
      ['kept long ago', 401, 'kept'],
      ['waiting since then', 401, 'queued'],
      ['sent last year', 399, 'sent'],
    ] as const) {
      await enqueue({
        dedupeKey,
        userId: null,
        recipient: 'olive@example.org',
        template: 'welcome',
        data: { username: 'olive' },
      })
      await app.db
        .update(mails)
        .set({ status, createdAt: sql`now() - make_interval(days => ${age})` })
        .where(eq(mails.dedupeKey, dedupeKey))
    }
    const job = openOutbox(context).jobs.find(({ name }) => name === 'forget-mails')!
    expect(await job.run()).toBe(2)
    expect((await rows()).map((row) => row.dedupeKey).sort()).toEqual(['sent last year', 'waiting since then'])
  })
})
