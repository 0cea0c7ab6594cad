import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createInvoice, submitPayment } from '#features/billing/contract.ts'
import { getPayment, listPayments } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import {
  auditLog,
  invoices,
  mailboxReader,
  mails,
  paymentAutomation,
  paymentMailLinks,
  paymentMails,
  payments,
} from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { SignedIn, TestApp } from '../../../test/harness/app.ts'
import type { Dovecot } from '../../../test/harness/dovecot.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'
import { layouts, mailFields } from '../../../test/harness/payment-layouts.ts'
import { type MailChanges, ourAddress, signedMail, testResolver } from '../../../test/harness/payment-mails.ts'
import { resolverFlags } from '../../../test/harness/run-cli.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import { listPaymentEmails, readPaymentEmailAgain, reviewPaymentEmail } from './admin-mailbox-contract.ts'
import { watchSignatures } from './server/jobs.ts'
import { loadReader } from './server/mailbox/config.ts'
import { openMailbox } from './server/mailbox/connection.ts'
import { Pace } from './server/mailbox/pace.ts'
import { retryRefused } from './server/mailbox/read-again.ts'
import { readNew } from './server/mailbox/read-new.ts'

let app: TestApp
let admin: SignedIn
let dovecot: Dovecot
let planId: number
let world: MailboxWorld
let save: MailboxWorld['save']
let reading: MailboxWorld['reading']
let status: MailboxWorld['status']
let isRead: MailboxWorld['isRead']
let stored: MailboxWorld['stored']
beforeAll(async () => {
  world = await mailboxWorld()
  ;({ app, admin, dovecot, save, reading, status, isRead, stored } = world)
  planId = (await createPlan(app.db, { price: 3_149 })).id
})
afterAll(() => world.close())

const venmo = layouts.find(({ template }) => template === 'venmo-card')!.layout
let number = 0
/** Returns a signed payment email with a unique transaction number. */
async function venmoMail(note: string, changes: MailChanges = {}, amount = '31.49') {
  const id = String(4_691_000_000_000_100_000 + ++number * 1_000)
  const raw = await signedMail(venmo(mailFields({ note, id, amount })), { date: new Date(), ...changes })
  return { id, raw }
}
const bookedAs = (id: string) => app.db.select().from(payments).where(eq(payments.providerReference, id))
const isBooked = (id: string) => expect.poll(() => bookedAs(id), { timeout: 10_000 }).toHaveLength(1)
const state = async () => (await app.db.select().from(mailboxReader))[0]!

describe('emails that are not read as payments', () => {
  test('a wrong password pauses the mailbox once, with one email to each administrator, until the settings are saved', async () => {
    await save({ password: 'wrong' })
    const first = reading()
    const second = reading()
    await expect.poll(async () => (await status()).state, { timeout: 10_000 }).toBe('paused')
    for (const reader of [first, second, first]) reader.wake()
    const notices = async () =>
      (await app.db.select().from(mails).where(eq(mails.template, 'admin_notice'))).filter(
        ({ data }) => data.event === 'mailbox_paused',
      )
    await save({ password: 'wrong', enabled: false })
    expect(await notices()).toHaveLength(1)
    expect(await notices()).toMatchObject([
      { data: { event: 'mailbox_paused', about: expect.stringContaining('desk') } },
    ])
    const entries = await app.db.select().from(auditLog).where(eq(auditLog.action, 'mailbox.pause'))
    expect(entries).toMatchObject([{ actorId: null }])
    await save()
    first.wake()
    await isRead()
  })

  test('forged, foreign, huge and unknown emails are stored with their reason, and nothing in them is booked', async () => {
    await save()
    reading()
    await isRead()
    const before = await app.db.select().from(payments)
    const forged = await venmoMail('SAUCE: ORD-7F3K2G', { after: (mail) => mail.replace('31.49', '91.49') })
    const unsigned = await venmoMail('SAUCE: ORD-7F3K2G', { isSigned: false })
    const foreign = await venmoMail('SAUCE: ORD-7F3K2G', { to: 'attacker@mail.example' })
    const stranger = await signedMail(
      { ...venmo(mailFields()), from: 'venmo@venmo.com.evil.example', domain: 'venmo.com.evil.example' },
      { date: new Date() },
    )
    const code = await signedMail(
      { ...venmo(mailFields()), subject: 'Your sign-in code is 123456', html: '<h1>Your code is 123456</h1>' },
      { date: new Date() },
    )
    const unknown = await signedMail(
      { ...venmo(mailFields()), subject: 'A person paid you', html: '<p>A person paid you $5.00 somehow</p>' },
      { date: new Date() },
    )
    const huge = Buffer.concat([(await venmoMail('huge')).raw, Buffer.alloc(limits.mailbox.bytes, 'x\r\n')])
    for (const raw of [forged.raw, unsigned.raw, foreign.raw, stranger, code, unknown, huge]) dovecot.deliver(raw)
    const last = await venmoMail('the last one')
    dovecot.deliver(last.raw)
    await isBooked(last.id)
    const found = (await stored()).map(({ auth, outcome, reason, subject, sealed }) => ({
      ...{ auth, outcome, reason },
      hasContent: sealed !== null,
      subject: subject.slice(0, 12),
    }))
    expect(found).toMatchObject([
      { auth: 'forged', outcome: 'refused', reason: 'not_proven', hasContent: false },
      { auth: 'forged', outcome: 'refused', reason: 'not_proven', hasContent: false },
      { auth: 'proven', outcome: 'refused', reason: 'other_recipient', hasContent: true },
      { auth: 'proven', outcome: 'not_a_payment', reason: 'other_mail', hasContent: false, subject: '' },
      { auth: 'proven', outcome: 'unreadable', reason: 'template_unknown', hasContent: true },
      { auth: 'unproven', outcome: 'unreadable', reason: 'too_large', hasContent: false },
      { auth: 'proven', outcome: 'payment', reason: null, hasContent: true },
    ])
    expect(await app.db.select().from(payments)).toHaveLength(before.length + 1)
    const listed = await admin.client.call(listPaymentEmails, {})
    expect(listed.map(({ reason }) => reason)).toEqual([
      'too_large',
      'template_unknown',
      'other_recipient',
      'not_proven',
      'not_proven',
    ])
    expect(await status()).toMatchObject({ toReview: 5, checkedAt: expect.any(String) })
  })

  test('an email to review is removed from the list once, and can be read again after the accounts were corrected', async () => {
    await save({ enabled: false })
    const foreign = (await stored()).find(({ reason }) => reason === 'other_recipient')!
    const params = { params: { emailId: foreign.id } }
    const readAgain = () => admin.client.call(readPaymentEmailAgain, params)
    expect(await readAgain()).toEqual({ payments: [], reason: 'other_recipient' })
    for (const { id } of await admin.client.call(listPaymentEmails, {}))
      if (id !== foreign.id) await admin.client.call(reviewPaymentEmail, { params: { emailId: id } })
    expect(await status()).toMatchObject({ state: 'off', toReview: 1 })
    await save({ enabled: false, addresses: [ourAddress, 'attacker@mail.example'] })
    expect(await readAgain()).toMatchObject({ payments: [{ amount: 3149 }], reason: null })
    expect(await readAgain()).toEqual({ payments: [], reason: null })
    expect(await status()).toMatchObject({ toReview: 0 })
    const forged = (await stored()).find(({ auth }) => auth === 'forged')!
    await expect(admin.client.call(readPaymentEmailAgain, { params: { emailId: forged.id } })).rejects.toMatchObject({
      status: 409,
      code: 'not_stored',
    })
  })

  test('an email that cannot be stored is set aside after three tries, and the next one is read', async () => {
    await app.database.pool.query(`CREATE FUNCTION fail_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.note = 'it fails' THEN RAISE EXCEPTION 'it fails'; END IF; RETURN NEW; END $$`)
    await app.database.pool.query(
      'CREATE TRIGGER fail_here BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION fail_here()',
    )
    onTestFinished(async () => void (await app.database.pool.query('DROP FUNCTION IF EXISTS fail_here CASCADE')))
    await save()
    const reader = reading()
    await isRead()
    const [failing, next] = [await venmoMail('it fails'), await venmoMail('the next one')]
    for (const { raw } of [failing, next]) dovecot.deliver(raw)
    await expect
      .poll(
        () => {
          reader.wake()
          return bookedAs(next.id)
        },
        { timeout: 10_000 },
      )
      .toHaveLength(1)
    const aside = (await stored()).at(-2)!
    expect(aside).toMatchObject({ outcome: 'unreadable', reason: expect.stringMatching(/Error/) })
    expect(await bookedAs(failing.id)).toEqual([])
    await app.database.pool.query('DROP FUNCTION fail_here CASCADE')
    const params = { emailId: aside.id }
    expect(await admin.client.call(readPaymentEmailAgain, { params })).toMatchObject({ reason: null })
    expect(await bookedAs(failing.id)).toHaveLength(1)
  })

  test('a signing key is looked up again if DNS did not answer', async () => {
    await save()
    reading(async () => {
      throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' })
    })
    await isRead()
    const { id, raw } = await venmoMail('later')
    dovecot.deliver(raw)
    await expect
      .poll(async () => (await stored()).at(-1), { timeout: 10_000 })
      .toMatchObject({
        ...{ auth: 'unproven', outcome: 'refused', reason: 'not_proven' },
        retryUntil: expect.any(String),
      })
    const context = { db: app.db, resolver: testResolver, key: () => secretKey(app.context.config) }
    expect(await retryRefused(context)).toBe(0)
    await app.db.execute("update payment_mails set retried_at = now() - interval '1 hour'")
    expect(await retryRefused(context)).toBe(1)
    await isBooked(id)
    expect((await stored()).at(-1)).toMatchObject({ auth: 'proven', outcome: 'payment', retryUntil: null })
  })
})

describe('emails that were already read', () => {
  test('after UIDVALIDITY changed, recent emails are read again and change nothing', async () => {
    await save()
    const first = reading()
    await isRead()
    const [count, before] = [(await stored()).length, await state()]
    const booked = (await app.db.select().from(payments)).length
    await first.stop()
    dovecot.renumber()
    const { id, raw } = await venmoMail('after the change')
    dovecot.deliver(raw)
    reading()
    await isBooked(id)
    expect((await state()).uidValidity).not.toBe(before.uidValidity)
    expect(await stored()).toHaveLength(count + 1)
    expect(await app.db.select().from(payments)).toHaveLength(booked + 1)
  })

  test('reading continues after the server closed the connection', async () => {
    await save()
    const reader = reading()
    await isRead()
    await dovecot.disconnect()
    await expect.poll(async () => (await status()).state, { timeout: 10_000 }).toBe('failing')
    const { id, raw } = await venmoMail('after the restart')
    dovecot.deliver(raw)
    // Ends the back-off.
    await app.db.update(mailboxReader).set({ restUntil: new Date(0).toISOString() })
    reader.wake()
    await isBooked(id)
    await expect.poll(async () => (await status()).state, { timeout: 10_000 }).toBe('ok')
  })

  test('a mailbox whose connection was closed is reported as lost, not read as empty', async () => {
    await save()
    const { db, config, log } = app.context
    const mailbox = (await loadReader({ db, config }))!
    const { client } = await openMailbox({ ...mailbox.connection, login: { password: dovecot.password } })
    client.close()
    const cursor = { lastUid: 0, uidValidity: 1n, failed: { uid: 0, tries: 0 }, pace: new Pace() }
    const context = { db, config, log, resolver: testResolver }
    await expect(readNew(context, mailbox, randomUUID(), client, cursor, new AbortController().signal)).rejects.toThrow(
      'The connection to the mail server was lost.',
    )
  })

  test('no email is lost or duplicated if the reader is killed between fetching and storing it', async () => {
    await save()
    const { id, raw } = await venmoMail('killed')
    const child = fork(new URL('../../../test/harness/mailbox-reader-process.ts', import.meta.url), {
      execArgv: resolverFlags,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const fetched = once(child, 'message')
    child.send({ address: app.database.address, secretKey: secretKey(app.context.config).current.toString('base64') })
    await isRead()
    dovecot.deliver(raw)
    expect((await fetched)[0]).toBe('fetched')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await bookedAs(id)).toEqual([])
    // Lets the lease of the killed process expire.
    await app.db.update(mailboxReader).set({ heldUntil: new Date(0).toISOString() })
    reading()
    await isBooked(id)
    const { raw: next, id: nextId } = await venmoMail('after it')
    dovecot.deliver(raw)
    dovecot.deliver(next)
    await isBooked(nextId)
    expect(await bookedAs(id)).toHaveLength(1)
    expect((await stored()).filter(({ outcome }) => outcome === 'payment').length).toBe(
      (await app.db.select().from(paymentMailLinks)).length,
    )
  })

  test('the email about a typed payment becomes its evidence, and the payment shows what the rule would do', async () => {
    await save()
    reading()
    await isRead()
    const customer = await app.signIn()
    const order = await ordered(customer)
    const typed = await admin.client.call(recordPayment, {
      body: {
        ...{ requestKey: randomUUID(), rail: 'venmo', amount: 3_149, payerName: 'Ana Ruiz', payerHandle: '' },
        ...{ note: `SAUCE: ${order}`, paidAt: new Date().toISOString(), providerReference: '' },
      },
    })
    const detail = () => admin.client.call(getPayment, { params: { paymentId: typed.id }, query: {} })
    expect(await detail()).toMatchObject({ emails: [], rules: null })
    const { id, raw } = await venmoMail(`SAUCE: ${order}`)
    dovecot.deliver(raw)
    await expect
      .poll(async () => (await detail()).emails, { timeout: 10_000 })
      .toMatchObject([
        { sender: 'venmo@venmo.com', signedBy: 'venmo.com', auth: 'proven', messageId: '<1@provider.example>' },
      ])
    expect(await bookedAs(id)).toEqual([])
    expect((await detail()).rules).toEqual({ wouldConfirm: true, against: [] })
  })

  test('payments from emails appear on the desk within seconds, the mailbox is not changed, and nothing is confirmed', async () => {
    await save()
    reading()
    await isRead()
    const order = await ordered(await app.signIn())
    const times: number[] = []
    for (let count = 0; count < roundCount('MAILBOX_MAILS', { short: 6, full: 40 }); count++) {
      const { id, raw } = await venmoMail(`SAUCE: ${order}`)
      const deliveredAt = performance.now()
      dovecot.deliver(raw)
      await expect
        .poll(
          async () => {
            const { rows } = await admin.client.call(listPayments, { query: {} })
            const [row] = await bookedAs(id)
            return row !== undefined && rows.some((each) => each.id === row.id)
          },
          { timeout: 20_000 },
        )
        .toBe(true)
      times.push(performance.now() - deliveredAt)
    }
    const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!
    process.stdout.write(`From delivery to the desk, 95th percentile of ${times.length}: ${Math.round(p95)} ms\n`)
    expect(p95).toBeLessThan(10_000)
    expect(dovecot.files().filter((name) => /:2,.*[SRTFD]/.test(name))).toEqual([])
    const [invoice] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, order))
    expect(invoice).toMatchObject({ status: 'pending' })
  })

  test('with automatic confirmation on, a proven email pays the order it names without an administrator', async () => {
    await save()
    reading()
    await isRead()
    await app.db.update(paymentAutomation).set({ mode: 'on' })
    onTestFinished(async () => void (await app.db.update(paymentAutomation).set({ mode: 'off' })))
    const customer = await app.signIn()
    const order = await ordered(customer)
    const invoice = async () => (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, order)))[0]
    const unsigned = await venmoMail(`SAUCE: ${order}`, { isSigned: false })
    dovecot.deliver(unsigned.raw)
    const { id, raw } = await venmoMail(`SAUCE: ${order}`)
    dovecot.deliver(raw)
    await expect.poll(invoice, { timeout: 10_000 }).toMatchObject({ status: 'paid' })
    const [payment] = await bookedAs(id)
    expect(await admin.client.call(getPayment, { params: { paymentId: payment!.id }, query: {} })).toMatchObject({
      status: 'done',
      decision: { by: 'the automatic rule' },
      rule: { state: 'confirmed' },
    })
  })

  test('automatic confirmation returns to shadow mode when more than a tenth of the emails of a day cannot be verified', async () => {
    await app.db.update(paymentAutomation).set({ mode: 'on' })
    // Emails of the tests above are counted as well.
    const read = await app.db.$count(paymentMails)
    await save()
    reading()
    await isRead()
    for (let count = 0; count <= read / 9; count++)
      dovecot.deliver((await venmoMail('No order', { isSigned: false })).raw)
    await expect.poll(() => watchSignatures(app.db), { timeout: 20_000 }).toBe(1)
    const [{ mode, reason }] = (await app.db.select().from(paymentAutomation)) as [
      typeof paymentAutomation.$inferSelect,
    ]
    expect([mode, reason]).toEqual(['shadow', expect.stringContaining('could not be verified')])
    await app.db.update(paymentAutomation).set({ mode: 'off', reason: null })
  })
})

/** Creates an order whose customer has reported the payment, and returns its number. */
async function ordered(customer: SignedIn): Promise<string> {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await customer.client.call(submitPayment, {
    body: { planId, paymentMethod: 'venmo', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
  })
  return invoiceNumber
}
