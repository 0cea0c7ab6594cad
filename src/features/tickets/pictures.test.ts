import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInquiry } from '#features/inquiries/contract.ts'
import { createReport } from '#features/reports/contract.ts'
import { createStaffRole } from '#features/staff/admin-contract.ts'
import { mails, ticketMessages, ticketPictures, tickets, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import {
  animatedWebp,
  asAnimated,
  bombPng,
  emptyPng,
  jpegFile,
  pngFile,
  webpFile,
} from '../../../test/harness/pictures.ts'
import { getThread, replyToTicket, uploadStaffPicture } from './admin-contract.ts'
import { answerTicket, getTicket, uploadPicture } from './contract.ts'
import { pictureFiles, picturePath } from './picture-rules.ts'
import { jobs } from './server/jobs.ts'
import { encodeEmailedPictures } from './server/service/pictures/encode-emailed-pictures.ts'
import { sendPictures } from './server/service/pictures/sent-pictures.ts'

let app: TestApp
let admin: SignedIn
let customer: SignedIn
let ticketId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  customer = await app.signIn()
  ticketId = await report(customer)
})
afterAll(() => app.close())

const report = async ({ client }: SignedIn) => {
  const body = { contentType: 'channel', contentName: 'Harbor News', issue: 'buffering' } as const
  const { id } = await client.call(createReport, { body })
  return (await app.db.select().from(tickets).where(eq(tickets.reportId, id)))[0]!.id
}
const upload = async ({ client }: SignedIn, file?: Buffer) =>
  client.call(uploadPicture, { body: new Uint8Array(file ?? (await pngFile())) })
/** Uploads the unchanged bytes with this content type. */
const send = async (file: Buffer, type = 'image/png', path = '/api/ticket-pictures') => {
  const response = await customer.client.request(path, {
    method: 'POST',
    headers: { 'content-type': type },
    body: new Uint8Array(file),
  })
  return { status: response.status, ...((await response.json()) as { code?: string; message?: string }) }
}
const answer = ({ client }: SignedIn, pictures: string[], id = ticketId) =>
  client.call(answerTicket, { params: { ticketId: id }, body: { body: 'As in this picture.', pictures } })
const reply = (pictures: string[], id = ticketId) =>
  admin.client.call(replyToTicket, {
    params: { ticketId: id },
    body: { body: 'Please press here.', status: 'waiting', seen: 2_147_483_647, pictures },
  })
const read = ({ client }: Pick<SignedIn, 'client'>, id: string, isStaff = false, isSmall = false) =>
  client.request(picturePath(id, isSmall, isStaff))
const counts = async () => [await app.db.$count(ticketPictures), await app.db.$count(ticketMessages)]
const noise = () =>
  sharp(randomBytes(96 * 96 * 3), { raw: { width: 96, height: 96, channels: 3 } })
    .png()
    .toBuffer()
const half = (file: Buffer) => file.subarray(0, file.length / 2)

describe('a file is refused and nothing is stored when it', () => {
  const refused: [string, () => Buffer | Promise<Buffer>, number, string][] = [
    ['is a text file', () => Buffer.from('not a picture'), 400, 'not_an_image'],
    [
      'is an HTML page with the content type image/png',
      () => Buffer.from('<!doctype html><script>'),
      400,
      'not_an_image',
    ],
    ['is an SVG file', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'unsupported_type'],
    ['is a GIF file', () => Buffer.from('GIF89a'), 415, 'unsupported_type'],
    ['is a PDF document', () => Buffer.from('%PDF-1.7\n'), 415, 'unsupported_type'],
    ['has more than 40 megapixels', () => emptyPng(8_001, 5_000), 400, 'too_many_pixels'],
    ['declares a size of four billion pixels', () => emptyPng(65_535, 65_535), 400, 'too_many_pixels'],
    ['declares more pixels than it contains', () => emptyPng(64, 64), 400, 'damaged'],
    ['is truncated', async () => half(await noise()), 400, 'damaged'],
    ['is an animated WebP', animatedWebp, 400, 'animated'],
    ['is an animated PNG', async () => asAnimated(await pngFile()), 400, 'animated'],
    ['is larger than 8 MB', () => Buffer.alloc(pictureFiles.megabytes * 1024 * 1024 + 1), 413, 'too_large'],
  ]
  test.each(refused)('%s', async (_what, file, status, code) => {
    const before = await counts()
    expect(await send(await file())).toMatchObject({ status, code, message: expect.stringMatching(/^[A-Z].*\.?$/) })
    expect(await counts()).toEqual(before)
  })

  test('has another content type or is too large, with the same message as in the browser', async () => {
    expect(await send(await pngFile(), 'text/html')).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    const tooLarge = Buffer.alloc(pictureFiles.megabytes * 1024 * 1024 + 1)
    expect(await send(tooLarge)).toMatchObject({ message: pictureFiles.tooLarge })
  })
})

describe('a message is not added when one of its pictures', () => {
  const refuses = async (attempt: () => Promise<unknown>) => {
    const before = await counts()
    await expect(attempt()).rejects.toMatchObject({
      status: 400,
      issues: [{ path: expect.stringMatching(/^pictures/) }],
    })
    expect(await counts()).toEqual(before)
  }
  test('belongs to another customer or to the staff, or does not exist', async () => {
    const other = await app.signIn()
    const { id: foreign } = await upload(other)
    const { id: ofStaff } = await admin.client.call(uploadStaffPicture, { body: new Uint8Array(await pngFile()) })
    const { id: own } = await upload(customer)
    for (const id of [foreign, ofStaff, crypto.randomUUID()]) await refuses(() => answer(customer, [own, id]))
    await refuses(() => reply([foreign]))
    await expect(answer(other, [foreign])).rejects.toMatchObject({ status: 404 })
    const left = await app.db.select().from(ticketPictures).where(eq(ticketPictures.id, own))
    expect(left).toMatchObject([{ uploadedBy: customer.user.id, messageId: null }])
  })

  test('was sent before, in this or another ticket, or is listed twice', async () => {
    const { id } = await upload(customer)
    await refuses(() => answer(customer, [id, id]))
    await answer(customer, [id])
    await refuses(() => answer(customer, [id]))
    const anotherTicket = await report(customer)
    await refuses(() => answer(customer, [id], anotherTicket))
  })

  test('is being sent by another request at the same time', async () => {
    const { id } = await upload(customer)
    const other = await report(customer)
    const outcomes = await Promise.allSettled([answer(customer, [id]), answer(customer, [id], other)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await app.db.$count(ticketPictures, eq(ticketPictures.id, id))).toBe(1)
  })

  test('is the fourth one', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await upload(customer)).id))
    await refuses(() => answer(customer, ids))
  })

  test('is sent to a visitor without an account', async () => {
    await app.client().call(createInquiry, {
      body: { name: 'Ada Quill', email: 'visitor@example.org', message: 'Do you offer a plan for a hotel?' },
    })
    const [ticket] = await app.db.select().from(tickets).where(eq(tickets.email, 'visitor@example.org'))
    const { id } = await admin.client.call(uploadStaffPicture, { body: new Uint8Array(await pngFile()) })
    await refuses(() => reply([id], ticket!.id))
  })
})

test('a picture can be read by its customer and by staff who may read tickets; other customers get the same 404 as for a missing picture', async () => {
  const { id } = await upload(customer)
  const other = await app.signIn()
  expect([
    (await read(customer, id)).status,
    (await read(other, id)).status,
    (await read(admin, id, true)).status,
  ]).toEqual([200, 404, 404])
  await answer(customer, [id])
  const { id: roleId } = await admin.client.call(createStaffRole, {
    body: { name: 'No tickets', description: '', permissions: ['reports.read'] },
  })
  const withoutTickets = await app.signInAdmin({ staffRoleId: roleId })
  const statuses = async (isSmall: boolean) =>
    Promise.all([
      read(customer, id, false, isSmall),
      read(admin, id, true, isSmall),
      read(admin, id, false, isSmall),
      read(other, id, false, isSmall),
      read(other, id, true, isSmall),
      read(withoutTickets, id, true, isSmall),
      read({ client: app.client() }, id, false, isSmall),
    ]).then((all) => all.map(({ status }) => status))
  for (const isSmall of [false, true]) expect(await statuses(isSmall)).toEqual([200, 200, 404, 404, 403, 403, 401])
  const bodies = await Promise.all(
    [read(other, id), read(other, crypto.randomUUID())].map(async (r) => (await r).json()),
  )
  expect(bodies[0]).toMatchObject({ code: 'not_found', message: (bodies[1] as { message: string }).message })
  const { headers } = await read(customer, id)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-disposition': 'attachment; filename="picture.webp"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('a picture is encoded again: at most 2,000 pixels on each side, without metadata and without data after its end', async () => {
  const script = Buffer.from('<script>alert("canary")</script>PK\x03\x04')
  for (const file of [await jpegFile(), await pngFile(), await webpFile()]) {
    const { id, width, height } = await upload(customer, Buffer.concat([file, script]))
    expect([width, height]).toEqual([64, 32])
    const bytes = Buffer.from(await (await read(customer, id)).arrayBuffer())
    expect(bytes.toString('latin1')).not.toMatch(/canary|CanaryCamera|GPS|script/i)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 32 })
  }
  const lying = await sharp(await jpegFile())
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(await upload(customer, lying)).toMatchObject({ width: 32, height: 64 })
  const bomb = bombPng(8_000, 5_000)
  const before = process.memoryUsage().rss
  const { id, ...size } = await upload(customer, bomb)
  expect(size).toEqual({ width: 2_000, height: 1_250 })
  // The full bitmap would need 153 MiB.
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  const small = Buffer.from(await (await read(customer, id, false, true)).arrayBuffer())
  expect((await sharp(small).metadata()).width).toBe(320)
}, 30_000)

test('both sides see the pictures of a message in order, and the email of a reply contains only their number', async () => {
  const [first, second] = [await upload(customer), await upload(customer)]
  const sent = await answer(customer, [second.id, first.id])
  expect(sent.messages.at(-1)).toMatchObject({ isOwn: true, pictures: [second, first] })
  const shown = await admin.client.call(uploadStaffPicture, { body: new Uint8Array(await pngFile()) })
  const thread = await reply([shown.id])
  expect(thread.messages.slice(-2)).toMatchObject([{ pictures: [second, first] }, { kind: 'staff', pictures: [shown] }])
  expect((await customer.client.call(getTicket, { params: { ticketId } })).messages.at(-1)).toMatchObject({
    pictures: [shown],
  })
  expect((await read(customer, shown.id)).status).toBe(200)
  const [mail] = await app.db
    .select()
    .from(mails)
    .where(sql`user_id = ${customer.user.id} and template = 'ticket_reply'`)
    .orderBy(sql`id desc`)
    .limit(1)
  expect(mail!.data).toMatchObject({ hasAccount: true, pictures: 1 })
  expect(JSON.stringify(mail!.data)).not.toContain(shown.id)
})

test('a customer uploads at most 20 pictures an hour', async () => {
  const limited = await buildApp({ config: { rateLimitFactor: 1 } })
  const { client } = await limited.signIn()
  const post = () =>
    client.request('/api/ticket-pictures', { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'x' })
  for (let i = 0; i < 20; i++) expect((await post()).status).toBe(400)
  expect((await post()).status).toBe(429)
  await limited.close()
})

test('an unsent picture is removed after a day; deleting a ticket or a customer deletes their pictures', async () => {
  const owner = await app.signIn()
  const ofOwner = await report(owner)
  const [old, fresh, sent] = [await upload(owner), await upload(owner), await upload(owner)]
  await answer(owner, [sent.id], ofOwner)
  await app.db.execute(
    sql`update ticket_pictures set created_at = now() - interval '25 hours' where id in (${old.id}, ${sent.id})`,
  )
  await jobs(app.db)[0]!.run()
  const left = async () => (await app.db.select({ id: ticketPictures.id }).from(ticketPictures)).map(({ id }) => id)
  expect(await left()).toEqual(expect.arrayContaining([fresh.id, sent.id]))
  expect(await left()).not.toContain(old.id)
  await app.db.delete(tickets).where(eq(tickets.id, ofOwner))
  expect(await left()).not.toContain(sent.id)
  const asking = await app.signIn()
  const [unsent, again] = [await upload(asking), await upload(asking)]
  const { username: name, email } = asking.user
  await asking.client.call(createInquiry, { body: { name, email, message: 'Do you offer a plan for a hotel?' } })
  const [asked] = await app.db.select().from(tickets).where(eq(tickets.userId, asking.user.id))
  const [message] = await app.db.select().from(ticketMessages).where(eq(ticketMessages.ticketId, asked!.id))
  // Called directly, because an audit entry would prevent the deletion of the account.
  await app.db.transaction((tx) => sendPictures(tx, message!.id, [again.id], asking.user.id))
  await app.db.delete(users).where(eq(users.id, asking.user.id))
  for (const { id } of [unsent, again]) expect(await left()).not.toContain(id)
  expect(await admin.client.call(getThread, { params: { ticketId } })).toMatchObject({ id: ticketId })
})

test('at most three pictures of an email are encoded, and the others are listed with the reason for refusal', async () => {
  const good = await pngFile()
  const named = (name: string, bytes: Buffer) => ({ name, bytes })
  const { pictures, refused } = await encodeEmailedPictures([
    named('broken.png', half(await noise())),
    named('1.png', good),
    named('2.png', await jpegFile()),
    named('moving.webp', await animatedWebp()),
    named('3.png', good),
    named('4.png', good),
  ])
  expect(pictures).toHaveLength(3)
  expect(refused).toEqual([
    expect.stringMatching(/^broken\.png was not accepted: The image is damaged/),
    expect.stringMatching(/^moving\.webp was not accepted: Animated/),
    '4.png was not accepted: at most 3 pictures fit in one message',
  ])
})
