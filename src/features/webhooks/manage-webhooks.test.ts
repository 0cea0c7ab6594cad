import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/caller.ts'
import { auditLog, webhookSecrets } from '#server/db/tables.ts'
import { isSignedBy } from '../../../test/harness/webhook-receiver.ts'
import { type StaffWebhookWorld, staffWebhookWorld } from '../../../test/harness/webhook-staff-world.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  pauseWebhook,
  rotateSecret,
  testWebhook,
  updateWebhook,
  type WebhookForm,
} from './admin-contract.ts'
import { maxWebhooks } from './rules.ts'

let world: StaffWebhookWorld
let app: StaffWebhookWorld['app']
let call: StaffWebhookWorld['owner']['client']['call']
beforeAll(async () => {
  world = await staffWebhookWorld()
  ;({ app } = world)
  call = world.owner.client.call
})
afterAll(() => world.close())
beforeEach(() => world.clear())

const token = '123456789:AAF-abcdefghijklmnopqrstuvwxyz_01234'
const unknownId = '2a64f1c6-6f0e-4a3c-9f5b-0d6b1c7a9e11'
/** Returns the status of a refused call, and its field or error code. */
async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(error instanceof ApiError)) throw new Error('The call was not refused', { cause: error })
  return [error.status, error.issues[0]?.path ?? error.code]
}
const refusalOf = (changes: Partial<WebhookForm> | Record<string, unknown>) =>
  refusal(call(createWebhook, { body: world.form(changes as Partial<WebhookForm>) }))

describe('a webhook is refused', () => {
  test.each([
    ['without a name', { name: ' ' }, 'name'],
    ['without a notice', { kinds: [] }, 'kinds'],
    ['with an unknown notice', { kinds: ['everything'] }, 'kinds.0'],
    ['without an address', { address: '' }, 'address'],
    ['with another protocol', { address: 'ftp://example.org/in' }, 'address'],
    ['with a password in the address', { address: 'https://me:word@example.org/in' }, 'address'],
    ['with a fragment', { address: 'https://example.org/in#here' }, 'address'],
    ['with a space in the address', { address: 'https://example.org/a b' }, 'address'],
    ['as Discord with another path', { type: 'discord', address: 'http://127.0.0.1/in' }, 'address'],
    ['as Telegram without a token', { type: 'telegram', chatId: '-100123' }, 'token'],
    ['as Telegram with a malformed token', { type: 'telegram', token: 'secret', chatId: '-100123' }, 'token'],
    ['as Telegram without a chat', { type: 'telegram', token }, 'chatId'],
    ['as Telegram with a malformed chat', { type: 'telegram', token, chatId: 'my friends' }, 'chatId'],
    ['with a host that does not exist', { address: 'https://nowhere.invalid/in' }, 'address'],
  ] as const)('%s', async (_, changes, field) => {
    expect(await refusalOf(changes)).toEqual([400, field])
    expect((await app.database.pool.query('SELECT FROM webhooks')).rowCount).toBe(0)
  })

  test.each([
    'http://127.0.0.1/in',
    'https://127.0.0.1/in',
    'https://[::1]/in',
    'https://10.1.2.3/in',
    'https://localhost/in',
  ])('with the private or unencrypted address %s, unless the configuration allows it', async (address) => {
    app.context.config.webhooksAllowPrivate = false
    expect(await refusalOf({ address })).toEqual([400, 'address'])
    expect(await refusalOf({ type: 'discord', address: `${address}/api/webhooks/1/abc` })).toEqual([400, 'address'])
    app.context.config.webhooksAllowPrivate = true
  })

  test('with the name of another webhook, and beyond the limit', async () => {
    const { webhook } = await world.add({ name: 'Staff chat' })
    expect(await refusalOf({ name: 'staff CHAT' })).toEqual([400, 'name'])
    const { id, version } = (await world.add()).webhook
    const { type: _, ...fields } = world.form({ name: webhook.name })
    expect(await refusal(call(updateWebhook, { params: { webhookId: id }, body: { ...fields, version } }))).toEqual([
      400,
      'name',
    ])
    for (let count = 2; count < maxWebhooks; count++) await world.add()
    expect(await refusalOf({})).toEqual([409, 'too_many_webhooks'])
  })

  test('with an outdated version or an unknown id', async () => {
    const { webhook } = await world.add()
    const { type: _, ...fields } = world.form()
    const changes = (webhookId: string, version: number) => [
      () => call(updateWebhook, { params: { webhookId }, body: { ...fields, version } }),
      () => call(pauseWebhook, { params: { webhookId }, body: { paused: true, version } }),
      () => call(rotateSecret, { params: { webhookId }, body: { version } }),
      () => call(deleteWebhook, { params: { webhookId }, query: { version } }),
    ]
    for (const change of changes(webhook.id, 7)) expect(await refusal(change())).toEqual([409, 'stale'])
    for (const change of changes(unknownId, 1)) expect(await refusal(change())).toEqual([404, 'not_found'])
    const params = { webhookId: unknownId }
    expect(await refusal(call(testWebhook, { params }))).toEqual([404, 'not_found'])
    expect(await call(listDeliveries, { params })).toEqual([])
  })
})

test('an owner can add, change, pause, resume and delete a webhook; the audit log contains no address', async () => {
  const { webhook, secret } = await world.add({ kinds: ['ticket', 'report', 'ticket'] })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const host = new URL(world.receiver.url).host
  expect(webhook).toMatchObject({
    destination: host,
    kinds: ['report', 'ticket'],
    pausedAt: null,
    waiting: 0,
    version: 1,
  })
  expect(JSON.stringify(webhook)).not.toContain('key=a')

  const params = { webhookId: webhook.id }
  const body = { name: 'Renamed', kinds: ['line' as const], address: '', token: '', chatId: '' }
  const changed = await call(updateWebhook, { params, body: { ...body, version: 1 } })
  expect(changed).toMatchObject({ name: 'Renamed', kinds: ['line'], destination: host, version: 2 })
  const paused = await call(pauseWebhook, { params, body: { paused: true, version: 2 } })
  expect(paused).toMatchObject({ pausedAt: expect.any(String), pauseReason: 'owner', version: 3 })
  const resumed = await call(pauseWebhook, { params, body: { paused: false, version: 3 } })
  expect(resumed).toMatchObject({ pausedAt: null, pauseReason: null, version: 4 })
  await call(testWebhook, { params })
  const rotated = await call(rotateSecret, { params, body: { version: 4 } })
  await call(deleteWebhook, { params, query: { version: 5 } })
  expect(await world.rowOf(webhook.id)).toBeUndefined()

  const entries = await app.db.select().from(auditLog).where(eq(auditLog.targetId, webhook.id)).orderBy(auditLog.id)
  const actions = entries.map(({ action }) => action.replace('webhook.', ''))
  expect(actions).toEqual(['create', 'update', 'pause', 'resume', 'test', 'rotate', 'delete'])
  expect(entries.every(({ actorId }) => actorId === world.owner.user.id)).toBe(true)
  const text = JSON.stringify(entries)
  for (const hidden of [secret!, rotated.secret!, 'key=', '/in']) expect(text).not.toContain(hidden)
})

test('an empty address or token field keeps the stored value, which is never returned', async () => {
  const { webhook, secret } = await world.add({ type: 'telegram', address: '', token, chatId: '-1001' })
  expect(secret).toBeNull()
  expect(webhook).toMatchObject({ destination: 'chat -1001', chatId: '-1001', secretSince: null })
  const { type: _, ...fields } = world.form({ address: '', chatId: '@desk' })
  const params = { webhookId: webhook.id }
  const changed = await call(updateWebhook, { params, body: { ...fields, version: 1 } })
  expect(changed.destination).toBe('chat @desk')
  expect(JSON.stringify(changed)).not.toContain(token)
  expect(await call(testWebhook, { params })).toMatchObject({ status: 'sent', responseStatus: 204 })
  expect(world.receiver.received[0]).toMatchObject({
    path: `/telegram/bot${token}/sendMessage`,
    json: { chat_id: '@desk' },
  })
  expect(await refusal(call(rotateSecret, { params, body: { version: 2 } }))).toEqual([409, 'no_secret'])
  const log = JSON.stringify(await app.db.select().from(auditLog).where(eq(auditLog.targetId, webhook.id)))
  expect(log).not.toContain(token)
  expect(app.logs.join('\n')).not.toContain(token)
})

test('after a replacement both secrets sign, and the earlier one expires after 24 hours', async () => {
  const { webhook, secret: first } = await world.add()
  const params = { webhookId: webhook.id }
  const { secret: second, webhook: rotated } = await call(rotateSecret, { params, body: { version: 1 } })
  const hours = (Date.parse(rotated.oldSecretUntil!) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(25)
  await call(testWebhook, { params })
  const [message] = world.receiver.received
  expect([isSignedBy(first!, message!), isSignedBy(second!, message!)]).toEqual([true, true])
  expect(isSignedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, message!)).toBe(false)
  expect(isSignedBy(second!, { ...message!, raw: `${message!.raw} ` })).toBe(false)

  const third = await call(rotateSecret, { params, body: { version: 2 } })
  expect(await refusal(call(rotateSecret, { params, body: { version: 3 } }))).toEqual([409, 'too_many_secrets'])
  await app.db.update(webhookSecrets).set({ expiresAt: sql`now()` }).where(sql`expires_at is not null`)
  await call(testWebhook, { params })
  const last = world.receiver.received.at(-1)!
  const secrets = [first!, second!, third.secret!]
  expect(secrets.map((secret) => isSignedBy(secret, last))).toEqual([false, false, true])
  expect(await call(rotateSecret, { params, body: { version: 3 } })).toMatchObject({ secret: expect.any(String) })
})

test('a test returns the reason for a failure, is not retried, and works while the webhook is paused', async () => {
  const { webhook } = await world.add()
  const params = { webhookId: webhook.id }
  await call(pauseWebhook, { params, body: { paused: true, version: 1 } })
  world.receiver.answers.push({ status: 500, body: { error: 'words of the receiver' } })
  expect(await call(testWebhook, { params })).toMatchObject({
    ...{ kind: 'test', status: 'failed', attempts: 1, responseStatus: 500, reason: 'HTTP 500', dueAt: null },
  })
  expect(await call(testWebhook, { params })).toMatchObject({ status: 'sent', responseStatus: 204, reason: null })
  expect((await world.rowOf(webhook.id)).failingSince).toBeNull()
  expect(await world.send()).toBe(0)
  expect(world.receiver.received).toHaveLength(2)
})
