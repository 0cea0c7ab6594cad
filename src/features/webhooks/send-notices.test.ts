import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auditLog, mails, webhookDeliveries, webhooks } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { holdOutbound } from '#server/outbound/outbound-gate.ts'
import { isSignedBy } from '../../../test/harness/webhook-receiver.ts'
import { type StaffWebhookWorld, staffWebhookWorld } from '../../../test/harness/webhook-staff-world.ts'
import { pauseWebhook } from './admin-contract.ts'
import { claimDue, deliver } from './server/delivery/deliver.ts'
import { sealTarget } from './server/target.ts'
import { startWebhookWorker } from './server/worker.ts'

let world: StaffWebhookWorld
let app: StaffWebhookWorld['app']
beforeAll(async () => {
  world = await staffWebhookWorld()
  ;({ app } = world)
})
afterAll(() => world.close())
beforeEach(() => world.clear())
const ownerNotices = async () =>
  (await app.db.select().from(mails)).filter(({ data }) => data.event === 'webhook_paused')

test('a notice is signed, and contains its kind, an id and a link, and nothing about the customer', async () => {
  const { webhook, secret } = await world.add()
  await world.ask()
  expect(await world.send()).toBe(1)
  const [message, ...more] = world.receiver.received
  expect(more).toEqual([])
  expect(message!.path).toBe('/in?key=a%2Fb')
  expect(isSignedBy(secret!, message!)).toBe(true)
  expect(message!.headers['content-type']).toBe('application/json')
  const { rows } = await app.database.pool.query('SELECT id FROM inquiries ORDER BY id DESC LIMIT 1')
  const { id } = rows[0]
  expect(message!.json).toEqual({
    type: 'inquiry',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    data: { id, url: `${app.context.config.publicUrl}/admin/inquiries?search=%23${id}` },
  })
  for (const hidden of ['Ada', 'ada@', 'Secret']) expect(message!.raw).not.toContain(hidden)
  const [delivery] = await world.deliveriesOf(webhook.id)
  expect(delivery).toMatchObject({ kind: 'inquiry', subjectId: id, status: 'sent', attempts: 1, responseStatus: 204 })
  expect(delivery!.messageId).toBe(message!.headers['webhook-id'])
})

test('a failed notice is retried with the same id and body after increasing waiting times, and abandoned after seven attempts', async () => {
  const { webhook, secret } = await world.add()
  await world.ask()
  world.receiver.answers.push(...Array.from({ length: 7 }, () => ({ status: 503 })))
  const waits: number[] = []
  for (let attempt = 1; attempt <= 7; attempt++) {
    expect(await world.send()).toBe(1)
    expect(await world.send()).toBe(0)
    const [row] = await world.deliveriesOf(webhook.id)
    expect(row).toMatchObject({ attempts: attempt, responseStatus: 503, reason: 'HTTP 503' })
    if (row!.dueAt) waits.push((Date.parse(row!.dueAt) - Date.parse(row!.attemptedAt!)) / 1_000)
    else expect([attempt, row!.status]).toEqual([7, 'failed'])
    await world.makeDue(webhook.id)
  }
  expect(waits.map(Math.round)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000])
  const { received } = world.receiver
  expect(new Set(received.map(({ headers, raw }) => `${headers['webhook-id']} ${raw}`)).size).toBe(1)
  expect(received.every((message) => isSignedBy(secret!, message))).toBe(true)
  expect((await world.rowOf(webhook.id)).failingSince).not.toBeNull()
  await world.ask()
  await world.send()
  expect(await world.rowOf(webhook.id)).toMatchObject({ failingSince: null, waiting: 0 })
})

test('a redirect, no answer, an address without TLS, a private address and an unreadable address are failures', async () => {
  const { webhook } = await world.add()
  const reasonAfter = async () => {
    await world.makeDue(webhook.id)
    await world.send()
    return (await world.deliveriesOf(webhook.id))[0]!.reason
  }
  await world.ask()
  world.receiver.answers.push({ status: 302, headers: { location: `${world.receiver.url}/elsewhere` } }, 'silence')
  expect(await reasonAfter()).toBe('HTTP 302')
  const { totalMs } = limits.webhook
  limits.webhook.totalMs = 200
  expect(await reasonAfter()).toBe('timeout')
  limits.webhook.totalMs = totalMs
  expect(world.receiver.received.map(({ path }) => path)).toEqual(['/in?key=a%2Fb', '/in?key=a%2Fb'])
  app.context.config.webhooksAllowPrivate = false
  expect(await reasonAfter()).toBe('no_tls')
  const address = 'https://10.0.0.1/in'
  const sealed = sealTarget(app.context.config, webhook.id, { address, token: '', chatId: '' })
  await app.db.update(webhooks).set({ sealed }).where(eq(webhooks.id, webhook.id))
  expect(await reasonAfter()).toBe('private_address')
  app.context.config.webhooksAllowPrivate = true
  await app.db.update(webhooks).set({ sealed: 'v1:broken' }).where(eq(webhooks.id, webhook.id))
  expect(await reasonAfter()).toBe('unreadable')
  expect(world.receiver.received).toHaveLength(2)
})

test('a webhook that has failed for five days is paused, and the owners are emailed once', async () => {
  const { webhook } = await world.add({ kinds: ['inquiry', 'webhook_paused'] })
  const other = await world.add({ kinds: ['webhook_paused'], address: `${world.receiver.url}/other` })
  await world.ask()
  await world.ask()
  world.receiver.answers.push({ status: 500 }, { status: 500 })
  await world.send()
  expect((await world.rowOf(webhook.id)).pausedAt).toBeNull()
  await app.db.update(webhooks).set({ failingSince: sql`now() - interval '5 days'` }).where(eq(webhooks.id, webhook.id))
  await world.makeDue(webhook.id)
  world.receiver.answers.push({ status: 500 }, { status: 500 })
  await world.send()
  const row = await world.rowOf(webhook.id)
  expect(row).toMatchObject({ pausedAt: expect.any(String), pauseReason: 'failures', waiting: 2, version: 2 })
  expect(await ownerNotices()).toMatchObject([{ recipient: world.owner.user.email, data: { about: webhook.name } }])
  expect(await world.deliveriesOf(other.webhook.id)).toMatchObject([{ kind: 'webhook_paused', status: 'sent' }])
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'webhook.pause'))
  expect(entry).toMatchObject({ actorId: null, targetId: webhook.id, after: { pauseReason: 'failures' } })

  await world.ask()
  await world.makeDue(webhook.id)
  expect(await world.send()).toBe(0)
  expect((await world.rowOf(webhook.id)).waiting).toBe(2)
  const params = { webhookId: webhook.id }
  await world.owner.client.call(pauseWebhook, { params, body: { paused: false, version: 2 } })
  expect(await world.send()).toBe(2)
  expect(await world.rowOf(webhook.id)).toMatchObject({ failingSince: null, pausedAt: null, waiting: 0 })
})

test('a webhook whose receiver answers 410 is paused immediately', async () => {
  const before = (await ownerNotices()).length
  const { webhook } = await world.add()
  await world.ask()
  world.receiver.answers.push({ status: 410 })
  await world.send()
  expect(await world.rowOf(webhook.id)).toMatchObject({ pauseReason: 'gone' })
  expect(await ownerNotices()).toHaveLength(before + 1)
})

test('two processes send each notice once', async () => {
  await world.add()
  for (let count = 0; count < 5; count++) await world.ask()
  const sent = await Promise.all([world.send(), world.send()])
  expect(sent[0]! + sent[1]!).toBe(5)
  expect(new Set(world.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(5)
  expect(world.receiver.received).toHaveLength(5)
})

test('the claim of a process that died expires, and a late outcome of the first attempt changes nothing', async () => {
  const { webhook } = await world.add()
  await world.ask()
  const [lost] = await claimDue(app.db)
  expect(await world.send()).toBe(0)
  await world.makeDue(webhook.id)
  world.receiver.answers.push({ status: 503 })
  expect(await world.send()).toBe(1)
  expect((await world.deliveriesOf(webhook.id))[0]).toMatchObject({ status: 'queued', attempts: 2 })
  await deliver(app.context, lost!)
  expect((await world.deliveriesOf(webhook.id))[0]).toMatchObject({ status: 'queued', attempts: 2, reason: 'HTTP 503' })
  expect(new Set(world.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a notice is not sent while outbound traffic is held', async () => {
  const { webhook } = await world.add()
  await world.ask()
  holdOutbound(async () => true)
  expect(await world.send()).toBe(0)
  holdOutbound(async () => false)
  expect(await world.send()).toBe(1)
  expect((await world.deliveriesOf(webhook.id))[0]).toMatchObject({ status: 'sent', attempts: 1 })
})

test('recording outcomes and pausing the webhook at the same time does not fail', async () => {
  const { webhook } = await world.add()
  const params = { webhookId: webhook.id }
  for (let count = 0; count < 6; count++) await world.ask()
  world.receiver.answers.push(...Array.from({ length: 6 }, () => ({ status: 500 })))
  const [sent, paused] = await Promise.all([
    world.send(),
    world.owner.client.call(pauseWebhook, { params, body: { paused: true, version: 1 } }),
  ])
  expect([sent > 0, paused.pauseReason]).toEqual([true, 'owner'])
})

test('Telegram gets a message without markup, and its error description is the reason for a failure', async () => {
  const token = '123456789:AAF-abcdefghijklmnopqrstuvwxyz_01234'
  const { webhook } = await world.add({ type: 'telegram', address: '', token, chatId: '-100777' })
  await world.ask()
  const description = `Too Many Requests for ${token}: retry later`
  world.receiver.answers.push({ status: 429, body: { ok: false, description, parameters: { retry_after: 900 } } })
  await world.send()
  const [message] = world.receiver.received
  expect(message!.path).toBe(`/telegram/bot${token}/sendMessage`)
  expect(message!.json).toEqual({
    chat_id: '-100777',
    text: expect.stringMatching(/^New inquiry #\d+\nhttp:\/\/localhost:3000\/admin\/inquiries\?search=%23\d+$/),
    link_preview_options: { is_disabled: true },
  })
  const [row] = await world.deliveriesOf(webhook.id)
  expect(row).toMatchObject({ status: 'queued', responseStatus: 429, reason: 'Too Many Requests for …: retry later' })
  expect(Math.round((Date.parse(row!.dueAt!) - Date.parse(row!.attemptedAt!)) / 1_000)).toBe(900)
})

test('Discord gets a message without mentions', async () => {
  const address = `${world.receiver.url}/api/webhooks/123/abc-DEF?thread_id=9`
  const { webhook } = await world.add({ type: 'discord', address })
  await world.ask()
  world.receiver.answers.push({ status: 400, body: { message: 'Cannot send an empty message', code: 50_006 } })
  await world.send()
  const [message] = world.receiver.received
  expect(message!.path).toBe('/api/webhooks/123/abc-DEF?thread_id=9')
  expect(message!.json).toMatchObject({ allowed_mentions: { parse: [] }, flags: 4 })
  expect(message!.headers['webhook-signature']).toBeUndefined()
  expect(String(message!.json.content).length).toBeLessThanOrEqual(2_000)
  expect((await world.deliveriesOf(webhook.id))[0]!.reason).toBe('Cannot send an empty message')
})

test('the jobs of the worker send due notices and delete old deliveries', async () => {
  const { webhook } = await world.add()
  const worker = startWebhookWorker(app.context)
  const job = (name: string) => worker.jobs.find((each) => each.name === name)!
  await world.ask()
  expect(await job('send-notices').run()).toBe(1)
  expect(await job('forget-notices').run()).toBe(0)
  await app.db
    .update(webhookDeliveries)
    .set({ createdAt: sql`now() - interval '31 days'` })
    .where(eq(webhookDeliveries.webhookId, webhook.id))
  expect(await job('forget-notices').run()).toBe(1)
  await worker.stop()
  await world.ask()
  expect(await job('send-notices').run()).toBe(0)
})
