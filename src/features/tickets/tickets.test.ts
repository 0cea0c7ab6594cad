import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getQueue } from '#features/desk/admin-queue-contract.ts'
import { updateInquiry } from '#features/inquiries/admin-contract.ts'
import { createInquiry } from '#features/inquiries/contract.ts'
import { updateReport } from '#features/reports/admin-contract.ts'
import { createReport } from '#features/reports/contract.ts'
import { createStaffRole } from '#features/staff/admin-contract.ts'
import { auditLog, inquiries, mails, reports, ticketMessages, tickets, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createCannedReply, listCannedReplies } from './admin-canned-contract.ts'
import {
  addTicketNote,
  getThread,
  listAllTickets,
  recordTicketAnswer,
  replyToTicket,
  updateTicket,
} from './admin-contract.ts'
import { answerTicket, closeTicket, getTicket, listTickets } from './contract.ts'
import { fillFields } from './rules.ts'

let app: TestApp
let admin: SignedIn
let other: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  other = await app.signInAdmin({ username: 'second_desk' })
})
afterAll(() => app.close())

let count = 0
/** Sends an inquiry and returns its ticket. */
const ask = async (client = app.client(), overrides: object = {}) => {
  const email = `asks-${count++}@example.org`
  const body = {
    name: 'Ada Quill',
    email,
    message: 'Do you offer a plan for a hotel?\nWe have 12 rooms.',
    ...overrides,
  }
  await client.call(createInquiry, { body })
  const [ticket] = await app.db.select().from(tickets).orderBy(desc(tickets.id)).limit(1)
  return ticket!
}
const report = async (customer: SignedIn) => {
  const body = { contentType: 'channel', contentName: 'Harbor News', issue: 'buffering' } as const
  const { id } = await customer.client.call(createReport, { body })
  return (await app.db.select().from(tickets).where(eq(tickets.reportId, id)))[0]!
}
const rowOf = async (id: number) => (await app.db.select().from(tickets).where(eq(tickets.id, id)))[0]!
const messagesOf = (id: number) =>
  app.db.select().from(ticketMessages).where(eq(ticketMessages.ticketId, id)).orderBy(ticketMessages.id)
const newestOf = async (id: number) => (await messagesOf(id)).at(-1)!.id
const send = ({ client }: SignedIn, method: string, path: string, body: object) =>
  client.request(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const jsonOf = async (response: Response) =>
  (await response.json()) as { message: string; code: string; issues: unknown }
const reply = async (id: number, overrides: object = {}) =>
  admin.client.call(replyToTicket, {
    params: { ticketId: id },
    body: { body: 'Yes, with Beast.', status: 'waiting', seen: await newestOf(id), ...overrides },
  })

describe('a request is refused', () => {
  test('from other customers and anonymous callers, for unknown tickets and with invalid values, and nothing changes', async () => {
    const customer = await app.signIn()
    const { id } = await report(customer)
    const stranger = await app.signIn()
    const before = await messagesOf(id)
    for (const { client } of [stranger, admin]) {
      expect((await client.request(`/api/tickets/${id}`)).status).toBe(404)
      expect((await client.post(`/api/tickets/${id}/answers`, { body: 'Hello' })).status).toBe(404)
      expect((await client.post(`/api/tickets/${id}/close`, {})).status).toBe(404)
    }
    expect((await app.client().request(`/api/tickets/${id}`)).status).toBe(401)
    expect((await customer.client.request(`/api/admin/tickets/${id}`)).status).toBe(403)
    expect((await admin.client.request('/api/admin/tickets/2147483647')).status).toBe(404)
    const empty = await customer.client.post(`/api/tickets/${id}/answers`, { body: '  ' })
    expect([empty.status, (await jsonOf(empty)).issues]).toEqual([
      400,
      [{ path: 'body', message: 'Please write a message' }],
    ])
    expect((await customer.client.post(`/api/tickets/${id}/answers`, { body: 'x'.repeat(5001) })).status).toBe(400)
    const path = `/api/admin/tickets/${id}`
    expect((await send(admin, 'PUT', path, { status: 'closed', version: 1 })).status).toBe(400)
    const assigned = await send(admin, 'PUT', path, { assigneeId: customer.user.id, version: 1 })
    expect([assigned.status, (await jsonOf(assigned)).message]).toEqual([400, 'Please choose an administrator'])
    expect(await messagesOf(id)).toEqual(before)
  })

  test('if the ticket version is stale, with the name of the other administrator', async () => {
    const { id } = await ask()
    await send(other, 'PUT', `/api/admin/tickets/${id}`, { status: 'solved', version: 1 })
    const late = await send(admin, 'PUT', `/api/admin/tickets/${id}`, { status: 'waiting', version: 1 })
    expect([late.status, await late.json()]).toEqual([
      409,
      { message: 'second_desk changed it first: this ticket is now Solved. Nothing was changed.', code: 'stale' },
    ])
  })

  test('if a reply was written before a newer message was seen, or has an unfilled field', async () => {
    const { id } = await ask()
    const seen = await newestOf(id)
    await admin.client.call(recordTicketAnswer, { params: { ticketId: id }, body: { body: 'By phone: it is urgent.' } })
    const path = `/api/admin/tickets/${id}/replies`
    const late = await admin.client.post(path, { body: 'Later', status: 'waiting', seen })
    expect([late.status, (await jsonOf(late)).code]).toEqual([409, 'stale'])
    const open = await admin.client.post(path, {
      body: 'Hello {name}, {order} and {nothing}',
      status: 'waiting',
      seen: await newestOf(id),
    })
    expect([open.status, (await jsonOf(open)).issues]).toEqual([
      400,
      [{ path: 'body', message: 'Please fill in {name}, {order} in the text' }],
    ])
    expect((await messagesOf(id)).map(({ kind }) => kind)).toEqual(['customer', 'customer'])
    expect(await app.db.select().from(mails).where(eq(mails.template, 'ticket_reply'))).toEqual([])
  })
})

test('a visitor’s inquiry is answered by email, with the ticket code by which further answers are recognized', async () => {
  const ticket = await ask()
  expect(ticket).toMatchObject({
    kind: 'inquiry',
    userId: null,
    status: 'open',
    subject: 'Do you offer a plan for a hotel?',
    waitingSince: null,
  })
  await admin.client.call(addTicketNote, { params: { ticketId: ticket.id }, body: { body: 'Asked sales' } })
  const thread = await reply(ticket.id)
  expect(thread).toMatchObject({
    from: 'Ada Quill',
    email: ticket.email,
    status: 'waiting',
    messages: [
      { kind: 'customer', body: 'Do you offer a plan for a hotel?\nWe have 12 rooms.' },
      { kind: 'note', author: admin.user.username },
      { kind: 'staff', author: admin.user.username, body: 'Yes, with Beast.' },
    ],
  })
  const [mail] = await app.db.select().from(mails).where(eq(mails.recipient, ticket.email!))
  expect(mail).toMatchObject({
    template: 'ticket_reply',
    userId: null,
    data: { token: ticket.token, hasAccount: false },
  })
  expect(await app.db.select().from(inquiries).where(eq(inquiries.id, ticket.inquiryId!))).toMatchObject([
    { status: 'answered' },
  ])
  const entries = await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.targetId, String(ticket.id)))
  expect(entries.filter(({ targetType }) => targetType === 'ticket').map(({ action }) => action)).toEqual([
    'ticket.add_note',
    'ticket.reply',
  ])
})

test('a customer reads and answers a ticket in the account and never sees a note', async () => {
  const customer = await app.signIn()
  const { id } = await ask(customer.client)
  await admin.client.call(addTicketNote, { params: { ticketId: id }, body: { body: 'canary' } })
  await reply(id)
  const params = { ticketId: id }
  expect(await customer.client.call(listTickets, {})).toMatchObject([{ id, status: 'waiting', kind: 'inquiry' }])
  const answered = await customer.client.call(answerTicket, { params, body: { body: 'And with 40 rooms?' } })
  expect(answered).toMatchObject({ status: 'open', messages: [{ isOwn: true }, { isOwn: false }, { isOwn: true }] })
  expect(JSON.stringify(answered)).not.toMatch(/canary|second_desk|sauce_admin/)
  expect(await rowOf(id)).toMatchObject({ waitingSince: expect.any(String) })
  expect(await customer.client.call(closeTicket, { params })).toMatchObject({ status: 'solved' })
  expect(await rowOf(id)).toMatchObject({ waitingSince: null })
  expect(await customer.client.call(getTicket, { params })).toMatchObject({ status: 'solved' })
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.customerId, customer.user.id))
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['ticket.reply', 'ticket.answer', 'ticket.close']),
  )
})

test('marking an inquiry as answered also updates its ticket, but not if the customer has written again', async () => {
  const customer = await app.signIn()
  const [quiet, urgent] = [await ask(customer.client), await ask(customer.client)]
  await customer.client.call(answerTicket, { params: { ticketId: urgent.id }, body: { body: 'It is urgent.' } })
  const mark = (inquiryId: number | null) =>
    admin.client.call(updateInquiry, { params: { inquiryId: inquiryId! }, body: { status: 'answered' } })
  await mark(quiet.inquiryId)
  await mark(urgent.inquiryId)
  expect(await rowOf(quiet.id)).toMatchObject({ status: 'waiting', waitingSince: null })
  expect(await rowOf(urgent.id)).toMatchObject({ status: 'open', waitingSince: expect.any(String) })
})

test('inquiries from an email address belong to a customer only after the customer has confirmed that address', async () => {
  const customer = await app.signIn({ email: 'ines@example.org' })
  const early = await ask(app.client(), { email: 'INES@example.org' })
  expect(early.userId).toBeNull()
  expect(await customer.client.call(listTickets, {})).toEqual([])
  await app.db.update(users).set({ emailVerifiedAt: new Date().toISOString() }).where(eq(users.id, customer.user.id))
  const late = await ask(app.client(), { email: 'Ines@example.org' })
  expect((await customer.client.call(listTickets, {})).map(({ id }) => id).sort()).toEqual([early.id, late.id])
})

test('solving a ticket resolves its report, a decision about the report changes its ticket, and the author is emailed once', async () => {
  const customer = await app.signIn()
  const { id, reportId } = await report(customer)
  await reply(id, { status: 'open' })
  const resolved = await reply(id, { body: 'It works again.', status: 'solved' })
  expect(resolved).toMatchObject({ status: 'solved', report: { status: 'resolved' } })
  const sent = await app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, customer.user.id), eq(mails.template, 'report_resolved')))
  expect(sent).toHaveLength(1)
  const decide = (status: 'pending' | 'dismissed') =>
    admin.client.call(updateReport, { params: { reportId: reportId! }, body: { status } })
  await decide('pending')
  expect(await rowOf(id)).toMatchObject({ status: 'open' })
  await decide('dismissed')
  expect(await rowOf(id)).toMatchObject({ status: 'solved' })
  await customer.client.call(answerTicket, { params: { ticketId: id }, body: { body: 'It stopped again.' } })
  expect(await rowOf(id)).toMatchObject({ status: 'open' })
  expect(await app.db.select().from(reports).where(eq(reports.id, reportId!))).toMatchObject([{ status: 'dismissed' }])
})

test('if a staff member without the permission for reports solves the ticket of a report, the report stays pending', async () => {
  const customer = await app.signIn()
  const { id, reportId } = await report(customer)
  const { id: staffRoleId } = await admin.client.call(createStaffRole, {
    body: { name: 'Answers', description: '', permissions: ['tickets.read', 'tickets.edit'] },
  })
  const { client } = await app.signInAdmin({ staffRoleId })
  const body = { body: 'It works again.', status: 'solved' as const, seen: await newestOf(id) }
  await client.call(replyToTicket, { params: { ticketId: id }, body })
  expect(await rowOf(id)).toMatchObject({ status: 'solved' })
  expect(await app.db.select().from(reports).where(eq(reports.id, reportId!))).toMatchObject([{ status: 'pending' }])
})

test('the queue has one entry for each thread, and reopening restores its promised time', async () => {
  const customer = await app.signIn({ username: 'queue_owl' })
  const { id } = await ask(customer.client)
  const entries = async () =>
    (await admin.client.call(getQueue, { query: { show: 'messages' } })).items.filter(
      (item) =>
        (item.kind === 'ticket' && item.ticketId === id) || (item.kind === 'inquiry' && item.message.includes('hotel')),
    )
  const params = { ticketId: id }
  const ofTicket = async () => (await entries()).filter(({ kind }) => kind === 'ticket')
  await customer.client.call(answerTicket, { params, body: { body: 'We are in a hurry.' } })
  expect(await ofTicket()).toEqual([])
  await reply(id)
  await customer.client.call(answerTicket, { params, body: { body: 'Thanks, and in winter?' } })
  const [waiting] = await ofTicket()
  expect(waiting).toMatchObject({ promiseMinutes: 480, from: 'queue_owl', message: 'Thanks, and in winter?' })
  const version = waiting!.kind === 'ticket' ? waiting!.version : 0
  const solved = await admin.client.call(updateTicket, { params, body: { status: 'solved', version } })
  expect(await ofTicket()).toEqual([])
  await admin.client.call(updateTicket, { params, body: { status: 'open', version: solved.version } })
  expect(await ofTicket()).toMatchObject([{ since: waiting!.since }])
})

test('the list can be filtered by status and assignee, searches messages and senders, and has a total', async () => {
  const customer = await app.signIn({ username: 'list_lark' })
  const { id } = await ask(customer.client, { message: 'Is 100% of the lineup in HD?' })
  await customer.client.call(answerTicket, { params: { ticketId: id }, body: { body: 'Also in the GARDEN house?' } })
  const assigned = await admin.client.call(updateTicket, {
    params: { ticketId: id },
    body: { assigneeId: other.user.id, version: (await rowOf(id)).version },
  })
  expect(assigned).toMatchObject({ assignee: 'second_desk', status: 'open' })
  const found = async (query: object) => (await admin.client.call(listAllTickets, { query })).rows.map((row) => row.id)
  for (const search of ['100% of', 'garden HOUSE', 'list_lark', `#${id}`, 'g'])
    expect(await found({ search })).toContain(id)
  expect(await found({ search: '1%d' })).toEqual([])
  expect(await found({ assignee: other.user.id })).toEqual([id])
  expect(await found({ assignee: other.user.id, status: 'solved' })).toEqual([])
  expect(await found({ assignee: 0 })).not.toContain(id)
  const all = await admin.client.call(listAllTickets, { query: { pageSize: 1 } })
  expect(all.total).toBe((await app.db.select().from(tickets)).length)
  expect(await admin.client.call(getThread, { params: { ticketId: id } })).toMatchObject({
    fields: { name: 'list_lark', subject: 'Is 100% of the lineup in HD?' },
  })
})

test('canned replies are added, changed and deleted, may contain only known fields, and each change is audited', async () => {
  const body = { name: 'Refund', body: 'Hello {name}, about {order}: yes.' }
  const path = '/api/admin/canned-replies'
  const unknown = await admin.client.post(path, { ...body, body: 'Hello {nmae}' })
  expect([unknown.status, (await jsonOf(unknown)).issues]).toEqual([
    400,
    [{ path: 'body', message: 'Unknown field: {nmae}' }],
  ])
  const added = await admin.client.call(createCannedReply, { body })
  expect((await admin.client.post(path, { ...body, name: 'REFUND' })).status).toBe(400)
  expect((await send(admin, 'PUT', `${path}/${added.id}`, { ...body, version: 9 })).status).toBe(409)
  expect((await send(admin, 'PUT', `${path}/${added.id}`, { ...body, name: 'Refunds', version: 1 })).status).toBe(200)
  expect(await admin.client.call(listCannedReplies, {})).toMatchObject([{ name: 'Refunds', version: 2 }])
  expect((await admin.client.request(`${path}/${added.id}?version=2`, { method: 'DELETE' })).status).toBe(200)
  const entries = await app.db.select().from(auditLog).where(eq(auditLog.targetType, 'canned_reply'))
  expect(entries.map(({ action }) => action)).toEqual([
    'canned_reply.create',
    'canned_reply.update',
    'canned_reply.delete',
  ])
  expect(fillFields(body.body, { name: 'Ada', order: '' })).toBe('Hello Ada, about {order}: yes.')
})
