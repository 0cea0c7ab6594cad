import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInquiry } from '#features/inquiries/contract.ts'
import { replyToTicket } from '#features/tickets/admin-contract.ts'
import { mails, ticketMessages, tickets } from '#server/db/tables.ts'
import { mailKeyOf } from '#server/mail/mail-key.ts'
import { type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'

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

test('answers by email are added to their ticket once, by the code or the Message-ID, and other emails are not stored', async () => {
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
  const bySubject = answer(
    ['From: Ada <ADA@example.org>', `Subject: Re: Hotel [t-${token.toLowerCase()}]`],
    'And in winter?\r\n\r\nOn Tue, Nov 25, 2026 SauceTV wrote:\r\n> Yes.',
  )
  for (const raw of [
    answer(['From: Eve <eve@example.org>', 'Subject: Buy this [T-00000000000000]'], 'Cheap watches'),
    answer(['From: Ada <ada@example.org>', `Subject: Absent [T-${token}]`, 'Auto-Submitted: auto-replied'], 'Away.'),
    bySubject,
    bySubject,
    answer(
      ['From: Bo <bo@example.org>', 'Subject: Fwd', `In-Reply-To: <${mailKeyOf(mail!.dedupeKey)}@localhost>`],
      'I answer for Ada.',
    ),
  ])
    dovecot.deliver(raw)
  const messages = () =>
    app.db.select().from(ticketMessages).where(eq(ticketMessages.ticketId, id)).orderBy(ticketMessages.id)
  await expect.poll(async () => (await messages()).length, { timeout: 10_000 }).toBe(4)
  expect((await messages()).slice(2)).toMatchObject([
    { kind: 'customer', via: 'email', body: 'And in winter?', sender: null },
    { kind: 'customer', via: 'email', body: 'I answer for Ada.', sender: 'bo@example.org' },
  ])
  expect((await app.db.select().from(tickets).where(eq(tickets.id, id)))[0]).toMatchObject({
    status: 'open',
    waitingSince: expect.any(String),
  })
  expect(await world.stored()).toEqual([])
}, 30_000)
