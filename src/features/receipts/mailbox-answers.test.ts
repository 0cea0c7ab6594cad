import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInquiry } from '#features/inquiries/contract.ts'
import { replyToTicket } from '#features/tickets/admin-contract.ts'
import { inquiries, mailboxReader, mails, ticketMessages, tickets, users } from '#server/db/tables.ts'
import { mailKeyOf } from '#server/mail/mail-key.ts'
import { type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'
import { signatureOf } from '../../../test/harness/payment-mails.ts'
import type { MailboxReader } from './server/mailbox/reader.ts'

let world: MailboxWorld
beforeAll(async () => {
  world = await mailboxWorld()
})
afterAll(() => world.close())

let number = 0
const answer = (headers: string[], body: string) =>
  Buffer.from(
    [
      `Message-ID: <answer-${++number}@example.org>`,
      `Date: ${new Date().toUTCString()}`,
      'To: desk@shop.example',
      ...headers,
      '',
      body,
      '',
    ].join('\r\n'),
  )

const signed = async (domain: string, raw: Buffer) => Buffer.concat([Buffer.from(await signatureOf(raw, domain)), raw])

test('email replies are added to their ticket once, found by the ticket code or the Message-ID, and other emails are not stored', async () => {
  const { app, admin, dovecot, save, reading, isRead } = world
  await app.client().call(createInquiry, {
    body: { name: 'Ada Quill', email: 'ada@example.org', message: 'Do you offer a plan for a hotel?' },
  })
  const [ticket] = await app.db.select().from(tickets).orderBy(desc(tickets.id)).limit(1)
  const { id, token } = ticket!
  const params = { ticketId: id }
  await admin.client.call(replyToTicket, { params, body: { body: 'Yes.', status: 'waiting', seen: 2_147_483_647 } })
  const [mail] = await app.db.select().from(mails).where(eq(mails.recipient, 'ada@example.org'))
  await save()
  reading()
  await isRead()
  const bySubject = await signed(
    'example.org',
    answer(
      ['From: Ada <ADA@example.org>', `Subject: Re: Hotel [t-${token.toLowerCase()}]`],
      'And in winter?\r\n\r\nOn Tue, Nov 25, 2026 SauceTV wrote:\r\n> Yes.',
    ),
  )
  for (const raw of [
    answer(['From: Eve <eve@example.org>', 'Subject: Buy this [T-00000000000000]'], 'Cheap watches'),
    answer(['From: Ada <ada@example.org>', `Subject: Absent [T-${token}]`, 'Auto-Submitted: auto-replied'], 'Away.'),
    bySubject,
    bySubject,
    await signed(
      'mail.example.org',
      answer(
        ['From: Bo <bo@example.org>', 'Subject: Fwd', `In-Reply-To: <${mailKeyOf(mail!.dedupeKey)}@localhost>`],
        'I answer for Ada.',
      ),
    ),
    answer(['From: Ada <ada@example.org>', `Subject: Re: Hotel [T-${token}]`], 'Is this really Ada?'),
    await signed(
      'attacker.example',
      answer(['From: Ada <ada@example.org>', `Subject: Re: Hotel [T-${token}]`], 'Signed by another domain.'),
    ),
  ])
    dovecot.deliver(raw)
  const messages = () =>
    app.db.select().from(ticketMessages).where(eq(ticketMessages.ticketId, id)).orderBy(ticketMessages.id)
  await expect.poll(async () => (await messages()).length, { timeout: 10_000 }).toBe(6)
  expect((await messages()).slice(2)).toMatchObject([
    { kind: 'customer', via: 'email', body: 'And in winter?', sender: null },
    { kind: 'customer', via: 'email', body: 'I answer for Ada.', sender: 'bo@example.org' },
    ...['Is this really Ada?', 'Signed by another domain.'].map((body) => ({
      body,
      authorId: null,
      sender: 'ada@example.org (sender not verified)',
    })),
  ])
  expect((await app.db.select().from(tickets).where(eq(tickets.id, id)))[0]).toMatchObject({
    status: 'open',
    waitingSince: expect.any(String),
  })
  expect(await world.stored()).toEqual([])
}, 30_000)

test('emails that are not replies open a ticket if their sender is verified and the settings allow it, within limits', async () => {
  const { app, dovecot, save, reading, isRead } = world
  const customer = await app.signIn({ email: 'priya@example.org' })
  await app.db.update(users).set({ emailVerifiedAt: new Date().toISOString() }).where(eq(users.id, customer.user.id))
  await app.signIn({ email: 'unconfirmed@example.org' })
  const opened = () =>
    app.db
      .select()
      .from(tickets)
      .innerJoin(ticketMessages, eq(ticketMessages.ticketId, tickets.id))
      .where(and(ticketMessages.isFirst, eq(ticketMessages.via, 'email')))
      .orderBy(tickets.id)
  type Opened = Awaited<ReturnType<typeof opened>>[number]
  const from = (address: string, subject: string, body = 'The picture stops every evening.', more: string[] = []) =>
    signed('example.org', answer([`From: Priya <${address}>`, `Subject: ${subject}`, ...more], body))

  let reader: MailboxReader | undefined
  /** Restarts the reader with changed settings, because a running reader would notice them only at its next check. */
  const readingWith = async (changes: Parameters<typeof save>[0]) => {
    await reader?.stop()
    await save(changes)
    reader = reading()
    await isRead()
  }
  await readingWith({})
  const lastUid = async () => (await app.db.select().from(mailboxReader))[0]?.lastUid ?? 0
  const begun = await lastUid()
  dovecot.deliver(await from('priya@example.org', 'While this is off'))
  await expect.poll(lastUid, { timeout: 10_000 }).toBeGreaterThan(begun)

  await readingWith({ newTickets: 'customers' })
  const hello = await from('Priya@example.org', 'Evenings', 'The picture stops every evening.\r\n\r\n> Since Monday.')
  for (const raw of [
    answer(['From: Priya <priya@example.org>', 'Subject: Forged'], 'Please send my password.'),
    await from('priya@example.org', 'Away', 'I am away.', ['Auto-Submitted: auto-replied']),
    await from('unconfirmed@example.org', 'Not confirmed'),
    await from('stranger@example.org', 'A stranger'),
    hello,
    hello,
  ])
    dovecot.deliver(raw)
  const hasOpened = async (subject: string) => (await opened()).some(({ tickets }) => tickets.subject === subject)
  await expect.poll(() => hasOpened('Evenings'), { timeout: 10_000 }).toBe(true)
  expect(await opened()).toHaveLength(1)
  const [{ tickets: ticket, ticket_messages: message }] = (await opened()) as [Opened]
  expect(ticket).toMatchObject({ userId: customer.user.id, status: 'open', subject: 'Evenings', name: 'Priya' })
  expect(message).toMatchObject({
    kind: 'customer',
    isFirst: true,
    authorId: customer.user.id,
    body: 'Evenings\nThe picture stops every evening.\n\n> Since Monday.',
  })
  const [queued] = await app.db.select().from(inquiries).where(eq(inquiries.id, ticket.inquiryId!))
  expect(queued).toMatchObject({ email: 'priya@example.org', status: 'open' })

  await readingWith({ newTickets: 'everyone' })
  for (let i = 0; i < 7; i++) dovecot.deliver(await from('stranger@example.org', `Question ${i}`, 'Do you ship?'))
  dovecot.deliver(await from('last@example.org', 'x', ''))
  await expect.poll(async () => (await opened()).at(-1)?.tickets.email, { timeout: 15_000 }).toBe('last@example.org')
  const subjects = (await opened()).slice(1).map(({ tickets: { subject } }) => subject)
  expect(subjects).toEqual(['Question 0', 'Question 1', 'Question 2', 'Question 3', 'Question 4', 'x'])
}, 60_000)
