import { randomBytes } from 'node:crypto'
import { asc, desc, eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInquiry } from '#features/inquiries/contract.ts'
import { getThread } from '#features/tickets/admin-contract.ts'
import { picturePath } from '#features/tickets/picture-rules.ts'
import { ticketMessages, ticketPictures, tickets } from '#server/db/tables.ts'
import { type MailboxWorld, mailboxWorld } from '../../../test/harness/mailbox-world.ts'
import { signatureOf } from '../../../test/harness/payment-mails.ts'
import { emptyPng, jpegFile, pngFile } from '../../../test/harness/pictures.ts'

let world: MailboxWorld
beforeAll(async () => {
  world = await mailboxWorld()
})
afterAll(() => world.close())

type Part = { name: string; bytes: Buffer; disposition?: 'attachment' | 'inline' }
let number = 0
const mail = (subject: string, text: string, parts: Part[]) =>
  Buffer.from(
    [
      'From: Ada <ada@example.org>',
      `Message-ID: <pictures-${++number}@example.org>`,
      `Date: ${new Date().toUTCString()}`,
      'To: desk@shop.example',
      `Subject: ${subject}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      text,
      ...parts.flatMap(({ name, bytes, disposition = 'attachment' }) => [
        '--b',
        // The type is detected from the content. The type that the email declares is ignored.
        'Content-Type: application/octet-stream',
        'Content-Transfer-Encoding: base64',
        `Content-Disposition: ${disposition}; filename="${name}"`,
        '',
        ...(bytes.toString('base64').match(/.{1,76}/g) ?? []),
      ]),
      '--b--',
      '',
    ].join('\r\n'),
  )
const signed = async (raw: Buffer) => Buffer.concat([Buffer.from(await signatureOf(raw, 'example.org')), raw])

test('pictures of a verified sender are encoded and added, and all other attachments are listed as refused', async () => {
  const { app, admin, dovecot, save, reading, isRead } = world
  await app.client().call(createInquiry, {
    body: { name: 'Ada Quill', email: 'ada@example.org', message: 'Do you offer a plan for a hotel?' },
  })
  const [ticket] = await app.db.select().from(tickets).orderBy(desc(tickets.id)).limit(1)
  const { id, token } = ticket!
  await save({ newTickets: 'everyone' })
  reading()
  await isRead()
  const subject = `Re: Hotel [T-${token}]`
  const png = await pngFile()
  // The email is larger than the limit for payment emails.
  const photo = await sharp(randomBytes(1_000 * 1_000 * 3), { raw: { width: 1_000, height: 1_000, channels: 3 } })
    .png()
    .toBuffer()
  expect(photo.length).toBeGreaterThan(2_500_000)
  const forged = mail(subject, 'From a stranger', [{ name: 'forged.png', bytes: png }])
  const answered = await signed(
    mail(subject, 'See the pictures.', [
      { name: 'setup.exe', bytes: Buffer.from('MZ') },
      { name: 'page.png', bytes: Buffer.from('<script>') },
      { name: 'broken.png', bytes: emptyPng(64, 64) },
      { name: 'photo.png', bytes: photo },
      { name: 'inline.jpg', bytes: await jpegFile(), disposition: 'inline' },
      { name: 'third.png', bytes: png },
      { name: 'fourth.png', bytes: png },
    ]),
  )
  const asked = await signed(mail('Another question', 'Which box is this?', [{ name: 'box.png', bytes: png }]))
  for (const raw of [forged, answered, answered, asked]) dovecot.deliver(raw)

  const opened = () => app.db.select().from(tickets).where(eq(tickets.subject, 'Another question'))
  await expect.poll(async () => (await opened()).length, { timeout: 20_000 }).toBe(1)
  const thread = await admin.client.call(getThread, { params: { ticketId: id } })
  const describeIt = 'was not accepted: please describe it in your answer'
  expect(thread.messages).toHaveLength(3)
  expect(thread.messages.slice(1)).toMatchObject([
    { body: 'From a stranger', pictures: [], refused: [`forged.png ${describeIt}`] },
    {
      body: 'See the pictures.',
      pictures: [
        { width: 1_000, height: 1_000 },
        { width: 64, height: 32 },
        { width: 64, height: 32 },
      ],
      refused: [
        `setup.exe ${describeIt}`,
        `page.png ${describeIt}`,
        expect.stringMatching(/^broken\.png was not accepted: The image is damaged/),
        'fourth.png was not accepted: at most 3 pictures fit in one message',
      ],
    },
  ])
  const [, inline] = thread.messages[2]!.pictures
  const response = await admin.client.request(picturePath(inline!.id, false, true))
  expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).not.toMatch(/CanaryCamera|GPS/)
  const first = await app.db
    .select({ width: ticketPictures.width })
    .from(ticketPictures)
    .innerJoin(ticketMessages, eq(ticketMessages.id, ticketPictures.messageId))
    .where(eq(ticketMessages.ticketId, (await opened())[0]!.id))
    .orderBy(asc(ticketPictures.position))
  expect(first).toEqual([{ width: 64 }])
}, 60_000)
