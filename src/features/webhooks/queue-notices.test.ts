import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateInvoice } from '#features/billing/admin-contract.ts'
import { createInvoice, requestRefund, submitPayment } from '#features/billing/contract.ts'
import { insertPayment } from '#features/payments/server/service/record-payment.ts'
import { createReport } from '#features/reports/contract.ts'
import { addMember } from '#features/staff/admin-contract.ts'
import { answerTicket } from '#features/tickets/contract.ts'
import { createTrialRequest } from '#features/trials/contract.ts'
import { inTransaction } from '#server/db/retry.ts'
import { inquiries, invoices, lineJobs, tickets } from '#server/db/tables.ts'
import { notifyOwners } from '#server/session/administrators.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { type StaffWebhookWorld, staffWebhookWorld } from '../../../test/harness/webhook-staff-world.ts'
import { deleteWebhook, pauseWebhook } from './admin-contract.ts'
import { type NoticeKind, noticeKinds } from './rules.ts'

let world: StaffWebhookWorld
let app: StaffWebhookWorld['app']
let customer: SignedIn
let webhookId: string
beforeAll(async () => {
  world = await staffWebhookWorld()
  ;({ app } = world)
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.clear()
  webhookId = (await world.add({ kinds: [...noticeKinds] })).webhook.id
  customer = await app.signIn()
})

/** Returns the queued notices, oldest first. */
const queued = async (): Promise<[string, number | null][]> =>
  (await world.deliveriesOf(webhookId)).reverse().map(({ kind, subjectId }) => [kind, subjectId])
const order = async (paymentMethod: 'venmo' | 'creditcard') => {
  const planId = (await createPlan(app.db, { price: 3_000 })).id
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  expect(await queued()).toEqual([])
  await customer.client.call(submitPayment, { body: { planId, paymentMethod, invoiceNumber } })
  const [invoice] = await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber))
  return invoice!
}
const report = (contentName: string) =>
  customer.client.call(createReport, { body: { contentType: 'channel', contentName, issue: 'buffering' } })

test('no notice is queued without a subscription, while the webhook is paused, or by a transaction that is rolled back', async () => {
  const params = { webhookId }
  await world.owner.client.call(pauseWebhook, { params, body: { paused: true, version: 1 } })
  const other = await world.add({ kinds: ['line'] })
  await world.ask()
  expect(await queued()).toEqual([])
  await world.owner.client.call(pauseWebhook, { params, body: { paused: false, version: 2 } })
  const message = { name: 'Ada', email: 'a@example.org', message: 'Hello' }
  await inTransaction(app.db, async (tx) => {
    await tx.insert(inquiries).values(message)
    throw new Error('rolled back')
  }).catch(() => undefined)
  expect(await queued()).toEqual([])
  await world.ask()
  expect((await queued()).map(([kind]) => kind)).toEqual(['inquiry'])
  expect(await world.deliveriesOf(other.webhook.id)).toEqual([])
})

test('an inquiry queues a notice, and the first further message that waits for an answer queues another one', async () => {
  await customer.client.post('/api/inquiries', {
    name: 'Ada',
    email: customer.user.email,
    message: 'Do you have radio?',
  })
  const [ticket] = await app.db.select().from(tickets).orderBy(desc(tickets.id)).limit(1)
  const params = { ticketId: ticket!.id }
  await app.db.update(inquiries).set({ status: 'answered' }).where(eq(inquiries.id, ticket!.inquiryId!))
  for (let answer = 0; answer < 2; answer++)
    await customer.client.call(answerTicket, { params, body: { body: 'Which stations?' } })
  expect(await queued()).toEqual([
    ['inquiry', ticket!.inquiryId],
    ['ticket', ticket!.id],
  ])
})

test('the first problem report of a case queues a notice', async () => {
  const first = await report('Harbor Sports 2')
  await report('harbor-sports 2 HD')
  const other = await report('City News')
  expect(await queued()).toEqual([
    ['report', first.id],
    ['report', other.id],
  ])
})

test('a trial request queues a notice', async () => {
  const body = { device: 'Fire TV Stick', message: 'I would like to see whether it runs here.' }
  const { id } = await customer.client.call(createTrialRequest, { body })
  expect(await queued()).toEqual([['trial', id]])
})

test('a submitted payment queues a notice with a link to its invoice, and a refund request queues a notice', async () => {
  const invoice = await order('venmo')
  expect(await queued()).toEqual([['payment', invoice.id]])
  await world.send()
  const url = `${app.context.config.publicUrl}/admin?tab=invoices&search=${invoice.invoiceNumber}`
  expect(world.receiver.received[0]!.json).toMatchObject({ type: 'payment', data: { id: invoice.id, url } })
  await world.owner.client.call(updateInvoice, { params: { invoiceId: invoice.id }, body: { status: 'paid' } })
  const body = { invoiceNumber: invoice.invoiceNumber, reason: 'It does not run here' }
  await customer.client.call(requestRefund, { body })
  expect((await queued()).filter(([kind]) => kind === 'refund')).toEqual([['refund', invoice.id]])
})

test('a card order whose payment link has to be sent queues a notice', async () => {
  const { id } = await order('creditcard')
  expect(await queued()).toEqual([['card_link', id]])
})

test('a payment reported by an email queues a notice, but not one entered by the staff', async () => {
  const record = (source: 'mail' | 'typed') =>
    inTransaction(app.db, (tx) =>
      insertPayment(tx, {
        source,
        rail: 'venmo',
        amount: 1_234,
        paidOn: '2026-11-20',
        payerName: source,
        note: 'secret note',
        recordedBy: source === 'typed' ? world.owner.user.id : null,
      }),
    )
  await record('typed')
  const payment = await record('mail')
  expect(await queued()).toEqual([['received', payment!.id]])
  await world.send()
  expect(world.receiver.received[0]!.raw).not.toContain('secret note')
})

test('a line task queues a notice each time it needs an administrator', async () => {
  const job = { userId: customer.user.id, cause: 'grant', causeKey: `test ${customer.user.id}` } as const
  const [row] = await app.db.insert(lineJobs).values(job).returning()
  expect(await queued()).toEqual([])
  for (const task of ['rejected', null, 'tries'] as const)
    await app.db.update(lineJobs).set({ task }).where(eq(lineJobs.id, row!.id))
  expect(await queued()).toEqual([
    ['line', row!.id],
    ['line', row!.id],
  ])
})

test('an email to owners queues one notice for each event, without the email address that it mentions', async () => {
  await world.owner.client.call(addMember, { body: { account: customer.user.username, role: 'owner' } })
  expect(await queued()).toEqual([['administrator_added', null]])
  const pause = () =>
    inTransaction(app.db, (tx) =>
      notifyOwners(tx, { event: 'mailbox_paused', about: 'pay@example.org', actor: null, key: 'once' }),
    )
  await pause()
  await pause()
  expect((await queued()).map(([kind]) => kind)).toEqual(['administrator_added', 'mailbox_paused'])
  await world.send()
  expect(world.receiver.received.map(({ json }) => (json.data as { url: string }).url).sort()).toEqual(
    ['/admin/audit', '/admin/settings?section=mailbox'].map((path) => app.context.config.publicUrl + path),
  )
  expect(JSON.stringify(world.receiver.received)).not.toContain('pay@example.org')
})

test('at most 1,000 notices are queued for a webhook that does not accept them', async () => {
  const insert = (count: number) =>
    app.db.execute(sql`select queue_notice('line', n) from generate_series(1, ${count}::int) n`)
  await insert(1_050)
  expect((await world.rowOf(webhookId)).waiting).toBe(1_000)
})

test('deleting a webhook at the same time does not make the action fail that queues a notice', async () => {
  const { id } = (await world.add({ kinds: ['inquiry'] satisfies NoticeKind[] })).webhook
  const [asked, deleted] = await Promise.all([
    world.ask(),
    world.owner.client.call(deleteWebhook, { params: { webhookId: id }, query: { version: 1 } }),
  ])
  expect([asked.status, deleted]).toEqual([200, { deleted: true }])
  expect((await queued()).map(([kind]) => kind)).toEqual(['inquiry'])
})
