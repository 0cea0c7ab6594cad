import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUsers, resetPassword } from '#features/accounts/admin-contract.ts'
import { exportAuditLog, listAuditLog } from '#features/audit/admin-contract.ts'
import { getTimeline } from '#features/customers/admin-timeline-contract.ts'
import { changeMember } from '#features/staff/admin-contract.ts'
import { type ApiKeyScope, apiKeyScopes, scopesFor } from '#kit/api-keys.ts'
import { endpoints } from '#server/app.ts'
import { apiKeys, auditLog, mails, staffRoles } from '#server/db/tables.ts'
import { newApiKey as newKeyText } from '#server/session/api-key-format.ts'
import { hashOf } from '#server/session/session.ts'
import { insertApiKey } from '../../../test/harness/api-keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createUser, password } from '../../../test/harness/factories.ts'
import * as contract from './admin-contract.ts'
import { maxApiKeys } from './rules.ts'

let app: TestApp
let owner: SignedIn
beforeAll(async () => {
  app = await buildApp()
  owner = await app.signInAdmin({ username: 'the_owner' })
})
afterAll(() => app.close())

const proof = { currentPassword: password }
const create = (fields: Partial<contract.NewApiKey> = {}, by = owner) =>
  by.client.call(contract.createApiKey, {
    body: { name: 'Warehouse', scopes: ['customers.read'], endsOn: '', ...proof, ...fields },
  })
const revoke = (apiKeyId: number, by = owner, body = proof) =>
  by.client.call(contract.revokeApiKey, { params: { apiKeyId }, body })
/** Sends a request with a key, without cookies and without an Origin header. */
const send = (key: string, path: string, body?: object, from: Parameters<TestApp['client']>[0] = {}) =>
  app.client(from).request(path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${key}`, origin: null, ...(body && { 'content-type': 'application/json' }) },
  })
const addNote = (key: string, userId: number, text = 'A note') =>
  send(key, `/api/admin/users/${userId}/notes`, { note: text })
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

describe('creating a key is refused', () => {
  test('without the right password, and without a code where two-step verification is on', async () => {
    await expect(create({ currentPassword: 'wrong' })).rejects.toMatchObject({ status: 403, code: 'wrong_password' })
    await expect(create({ currentPassword: '' })).rejects.toMatchObject({ status: 400 })
    const careful = await app.signInAdmin()
    await app.database.pool.query(
      "INSERT INTO two_factor (user_id, secret, confirmed_at) VALUES ($1, 'v1:sealed', now())",
      [careful.user.id],
    )
    await expect(create({}, careful)).rejects.toMatchObject({ status: 400, code: 'code_required' })
    expect(await app.db.$count(apiKeys)).toBe(0)
  })

  test('for staff who are not owners, and for requests with an API key', async () => {
    const [role] = await app.db.select({ id: staffRoles.id }).from(staffRoles).where(eq(staffRoles.key, 'read_only'))
    const member = await app.signInAdmin({ staffRoleId: role!.id })
    await expect(create({}, member)).rejects.toMatchObject({ status: 403, code: 'no_permission' })
    const { key } = await insertApiKey(app, owner.user.id, apiKeyScopes)
    const response = await send(key, '/api/admin/api-keys', { name: 'Another', scopes: ['reports.read'], endsOn: '' })
    expect(await codeOf(response)).toEqual([403, 'not_for_api_keys'])
  })

  test('without scopes, with unknown scopes, and with scopes that no key may have', async () => {
    for (const scopes of [[], ['everything'], ['staff.manage'], ['desk.use'], ['customers.view_as'], ['mails.reveal']])
      await expect(create({ scopes: scopes as never }), scopes.join()).rejects.toMatchObject({ status: 400 })
  })

  test('with a last day in the past, or more than ten years ahead', async () => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    for (const endsOn of [day(-1), day(3_660), '2026-02-30', 'tomorrow'])
      await expect(create({ endsOn }), endsOn).rejects.toMatchObject({ status: 400, issues: [{ path: 'endsOn' }] })
  })

  test('when too many keys are in use', async () => {
    const many = await buildApp()
    try {
      const busy = await many.signInAdmin()
      for (let i = 0; i < maxApiKeys; i++) await insertApiKey(many, busy.user.id, ['reports.read'])
      await insertApiKey(many, busy.user.id, ['reports.read'], { revoked: true })
      await expect(create({}, busy)).rejects.toMatchObject({ status: 409, code: 'too_many_api_keys' })
      await revoke(1, busy)
      await create({}, busy)
    } finally {
      await many.close()
    }
  })
})

describe('a request with a key is refused', () => {
  test('with 401 and WWW-Authenticate for an unknown, a malformed, an expired and a revoked key', async () => {
    const ended = await insertApiKey(app, owner.user.id, apiKeyScopes, {
      endsAt: new Date(Date.now() - 1).toISOString(),
    })
    const revoked = await insertApiKey(app, owner.user.id, apiKeyScopes, { revoked: true })
    for (const [key, code] of [
      [newKeyText(), 'unknown_api_key'],
      ['sauce_', 'unknown_api_key'],
      [`${ended.key}x`, 'unknown_api_key'],
      [ended.key, 'ended_api_key'],
      [revoked.key, 'revoked_api_key'],
    ] as const) {
      const response = await send(key, listUsers.path)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
      expect(await response.json()).toEqual({ message: expect.any(String), code })
      expect(response.status).toBe(401)
    }
  })

  test('next to a valid cookie: the cookie is not used', async () => {
    const response = await owner.client.request(listUsers.path, { headers: { authorization: 'Bearer sauce_x' } })
    expect(await codeOf(response)).toEqual([401, 'unknown_api_key'])
  })

  test('without the scope, which the response names, and without a permission of its creator', async () => {
    const { key } = await create({ scopes: ['reports.read', 'payments.read'] })
    const response = await send(key, listUsers.path)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="customers.read"')
    expect(await response.json()).toMatchObject({
      code: 'missing_scope',
      message: expect.stringContaining('customers.read'),
    })
    const [support] = await app.db.select({ id: staffRoles.id }).from(staffRoles).where(eq(staffRoles.key, 'support'))
    const second = await app.signInAdmin()
    const { key: other } = await create({ scopes: ['reports.read', 'payments.read'] }, second)
    expect((await send(other, '/api/admin/payments')).status).toBe(200)
    await owner.client.call(changeMember, { params: { userId: second.user.id }, body: { role: support!.id } })
    expect(await codeOf(await send(other, '/api/admin/payments'))).toEqual([403, 'missing_scope'])
    expect((await send(other, '/api/admin/reports')).status).toBe(200)
    await owner.client.call(changeMember, { params: { userId: second.user.id }, body: { role: 'none' } })
    expect(await codeOf(await send(other, '/api/admin/reports'))).toEqual([401, 'creator_not_staff'])
  })

  test('while its creator has to choose a new password', async () => {
    const blocked = await app.signInAdmin({ mustChangePassword: true })
    const { key } = await insertApiKey(app, blocked.user.id, apiKeyScopes)
    expect(await codeOf(await send(key, listUsers.path))).toEqual([403, 'must_change_password'])
  })

  test('at endpoints of members, sessions, passwords, staff, keys and webhooks, and where a session is needed', async () => {
    const { key } = await insertApiKey(app, owner.user.id, apiKeyScopes)
    const closed = endpoints.filter((endpoint) => endpoint.access === 'admin' && scopesFor(endpoint).length === 0)
    expect(closed.filter(({ needs }) => needs !== 'staff.manage' && needs !== 'desk.use').map(({ id }) => id)).toEqual([
      'PUT /api/admin/users/:userId/reset-password',
      'PUT /api/admin/payment-automation',
      'POST /api/admin/mailbox/connect',
      'POST /api/admin/mailbox/connect/finish',
      'POST /api/admin/mailbox/emails/:emailId/open',
      'GET /api/admin/processors',
      'PUT /api/admin/processors/:processor',
      'POST /api/admin/processors/:processor/secrets',
      'DELETE /api/admin/processors/:processor/secrets/:secretId',
      'POST /api/admin/processors/btcpay/test',
      'POST /api/admin/mails/:mailId/reveal',
      'POST /api/admin/users/:userId/reset-two-factor',
      'POST /api/admin/users/:userId/view',
    ])
    for (const path of ['/api/user', '/api/account/sessions', '/api/admin/staff', '/api/admin/desk/queue'])
      expect(await codeOf(await send(key, path)), path).toEqual([403, 'not_for_api_keys'])
    for (const path of ['/api/login', '/api/logout', '/api/webhooks/stripe'])
      expect(await codeOf(await send(key, path, {})), path).toEqual([403, 'not_for_api_keys'])
    for (const scope of apiKeyScopes)
      expect(endpoints.filter((endpoint) => scopesFor(endpoint).includes(scope)).length, scope).toBeGreaterThan(0)
  })

  test('for changes that need two owners, because one person may have the keys of both', async () => {
    const strict = await buildApp({ config: { selfApproval: 'deny' } })
    try {
      const who = await strict.signInAdmin()
      const { key } = await insertApiKey(strict, who.user.id, apiKeyScopes)
      const { version, value } = (await (await who.client.request('/api/admin/settings/payments')).json()) as {
        version: number
        value: Record<string, unknown>
      }
      const response = await strict.client().request('/api/admin/settings/payments', {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', origin: null },
        body: JSON.stringify({ version, value: { ...value, cashtag: '$another' } }),
      })
      expect(await codeOf(response)).toEqual([403, 'not_for_api_keys'])
    } finally {
      await strict.close()
    }
  })

  test('when the key is revoked while its write waits', async () => {
    const { apiKey, key } = await create({ scopes: ['customers.edit'] })
    const customer = await createUser(app.db)
    const client = await app.database.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [apiKey.id])
    const writing = addNote(key, customer.id)
    await expect
      .poll(async () => (await app.database.pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
      .toBeGreaterThan(0)
    await client.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [apiKey.id])
    await client.query('COMMIT')
    client.release()
    expect(await codeOf(await writing)).toEqual([401, 'revoked_api_key'])
    expect(await app.db.$count(auditLog, eq(auditLog.apiKeyId, apiKey.id))).toBe(0)
  })
})

describe('the limits', () => {
  let strict: TestApp
  let who: SignedIn
  beforeAll(async () => {
    strict = await buildApp({ config: { rateLimitFactor: 1 } })
    who = await strict.signInAdmin()
  })
  afterAll(() => strict.close())
  const get = (key: string, ip: string) =>
    strict.client({ ip }).request(listUsers.path, { headers: { authorization: `Bearer ${key}` } })

  test('refuse invalid keys from a network after 20 in 15 minutes, but not valid keys from the same network', async () => {
    const { key } = await insertApiKey(strict, who.user.id, ['customers.read'])
    for (let i = 0; i < 20; i++) expect((await get(i % 2 ? newKeyText() : 'sauce_x', '192.0.2.1')).status).toBe(401)
    const refused = await get(newKeyText(), '192.0.2.1')
    expect(await codeOf(refused)).toEqual([429, 'too_many'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await get(newKeyText(), '192.0.2.2')).status).toBe(401)
    expect((await get(key, '192.0.2.1')).status).toBe(200)
  })

  test('allow each key 600 requests a minute, independently of other keys and of its creator’s browser', async () => {
    const [busy, other] = [
      await insertApiKey(strict, who.user.id, ['customers.read']),
      await insertApiKey(strict, who.user.id, ['customers.read']),
    ]
    await get(busy.key, '192.0.2.3')
    await strict.database.pool.query("UPDATE rate_limits SET points = 600 WHERE key LIKE 'apiKey:user:%'")
    const refused = await get(busy.key, '192.0.2.3')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await get(other.key, '192.0.2.3')).status).toBe(200)
    expect((await who.client.request(listUsers.path)).status).toBe(200)
  })
})

describe('a key', () => {
  test('is shown once, stored as a digest, audited, and announced to all owners', async () => {
    const second = await app.signInAdmin({ username: 'second_owner' })
    const { apiKey, key } = await create({ name: 'Bookkeeping', scopes: ['payments.read', 'invoices.read'] })
    expect(key).toMatch(/^sauce_[0-9A-Za-z]{46}$/)
    expect(apiKey).toMatchObject({
      name: 'Bookkeeping',
      prefix: key.slice(0, 10),
      scopes: ['invoices.read', 'payments.read'],
      createdBy: { id: owner.user.id, username: 'the_owner' },
      endsAt: null,
      lastUsed: null,
      state: 'active',
    })
    const [stored] = await app.db.select().from(apiKeys).where(eq(apiKeys.id, apiKey.id))
    expect(stored!.keyHash).toEqual(hashOf(key))
    expect(JSON.stringify(await owner.client.call(contract.listApiKeys, {}))).not.toContain(key)
    await revoke(apiKey.id)
    const entries = await app.db
      .select({ action: auditLog.action, after: auditLog.after, actorId: auditLog.actorId })
      .from(auditLog)
      .where(and(eq(auditLog.targetType, 'api_key'), eq(auditLog.targetId, String(apiKey.id))))
      .orderBy(auditLog.id)
    expect(entries).toMatchObject([{ action: 'api_key.create', actorId: owner.user.id }, { action: 'api_key.revoke' }])
    expect(JSON.stringify(entries)).not.toContain(key)
    const sent = await app.db
      .select({ data: mails.data })
      .from(mails)
      .where(eq(mails.userId, second.user.id))
      .orderBy(mails.id)
    expect(sent.map(({ data }) => data)).toEqual([
      expect.objectContaining({ event: 'api_key_created', about: expect.stringContaining('Bookkeeping') }),
      expect.objectContaining({ event: 'api_key_revoked' }),
    ])
    expect(JSON.stringify(sent)).not.toContain(key)
  })

  test('acts for its creator without cookies or an Origin header; the audit log and the timeline name both', async () => {
    const { apiKey, key } = await create({ name: 'Notes', scopes: ['customers.edit', 'audit.read'] })
    const customer = await createUser(app.db)
    const response = await addNote(key, customer.id)
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
    expect(
      (
        await owner.client.request(`/api/admin/users/${customer.id}/notes`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ note: 'By hand' }),
        })
      ).status,
    ).toBe(200)
    const [byHand, byKey] = await owner.client
      .call(listAuditLog, { query: { action: 'user.add_note' } })
      .then(({ rows }) => rows)
    expect(byHand).toMatchObject({ actor: { id: owner.user.id }, apiKey: null })
    expect(byKey).toMatchObject({ actor: { id: owner.user.id }, apiKey: { id: apiKey.id, name: 'Notes' } })
    const { entries } = await owner.client.call(getTimeline, { params: { userId: customer.id }, query: {} })
    expect(entries.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        `“By hand”, by ${owner.user.username}`,
        `“A note”, by ${owner.user.username} with the API key Notes`,
      ]),
    )
    const exported = await send(key, exportAuditLog.path)
    expect(await exported.text()).toContain(`Notes (#${apiKey.id})`)
    const [last] = await app.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(last).toMatchObject({ action: 'list.export', apiKeyId: apiKey.id, apiKeyName: 'Notes' })
  })

  test('works until the end of its last day, and not after it', async () => {
    const timed = await buildApp({ clock: true })
    try {
      await timed.clock!.set('2027-03-01T12:00:00Z')
      const who = await timed.signInAdmin()
      const { apiKey, key } = await create({ endsOn: '2027-03-02' }, who)
      expect(apiKey.endsAt).toBe('2027-03-03T00:00:00.000Z')
      const status = async () =>
        (await timed.client().request(listUsers.path, { headers: { authorization: `Bearer ${key}` } })).status
      await timed.clock!.set('2027-03-02T23:59:59Z')
      expect(await status()).toBe(200)
      await timed.clock!.set('2027-03-03T00:00:00Z')
      expect(await status()).toBe(401)
    } finally {
      await timed.close()
    }
  })

  test('has the time and IP address of its last use recorded at most once a minute', async () => {
    const { apiKey, key } = await create()
    const lastUsed = async () =>
      (await owner.client.call(contract.listApiKeys, {})).find(({ id }) => id === apiKey.id)!.lastUsed
    await send(key, listUsers.path, undefined, { ip: '192.0.2.9' })
    const first = await lastUsed()
    expect(first).toEqual({ at: expect.any(String), ip: '192.0.2.9' })
    await send(key, listUsers.path, undefined, { ip: '192.0.2.10' })
    expect(await lastUsed()).toEqual(first)
    await app.database.pool.query("UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = $1", [
      apiKey.id,
    ])
    await send(key, listUsers.path, undefined, { ip: '192.0.2.10' })
    expect((await lastUsed())!.ip).toBe('192.0.2.10')
  })

  test('can be revoked once, by any owner, with the password', async () => {
    const second = await app.signInAdmin()
    const { apiKey, key } = await create()
    await expect(revoke(apiKey.id, second, { currentPassword: 'wrong' })).rejects.toMatchObject({ status: 403 })
    expect((await send(key, listUsers.path)).status).toBe(200)
    expect(await revoke(apiKey.id, second)).toMatchObject({
      state: 'revoked',
      revoked: { by: second.user.username },
    })
    expect(await codeOf(await send(key, listUsers.path))).toEqual([401, 'revoked_api_key'])
    await expect(revoke(apiKey.id)).rejects.toMatchObject({ status: 409, code: 'revoked' })
    await expect(revoke(2147483647)).rejects.toMatchObject({ status: 404 })
  })

  test('is revoked when the password of its creator is reset, and not restored by the new password', async () => {
    const other = await app.signInAdmin()
    const { apiKey, key } = await create({ name: 'Nightly' }, other)
    await owner.client.call(resetPassword, {
      params: { userId: other.user.id },
      body: { newPassword: 'another correct horse', removeTwoFactor: false },
    })
    expect(await codeOf(await send(key, listUsers.path))).toEqual([401, 'revoked_api_key'])
    const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'user.reset_password'))
    expect(entry!.after).toMatchObject({ removed: { apiKeys: ['Nightly'] } })
    expect((await owner.client.call(contract.listApiKeys, {})).find(({ id }) => id === apiKey.id)).toMatchObject({
      state: 'revoked',
      revoked: { by: null },
    })
  })

  test('is ignored by public read-only endpoints, and headers with another scheme are ignored too', async () => {
    expect((await send('sauce_x', '/api/plans')).status).toBe(200)
    const basic = await owner.client.request(listUsers.path, { headers: { authorization: 'Basic c2F1Y2VfOng=' } })
    expect(basic.status).toBe(200)
  })

  test('is never logged', async () => {
    const { key } = await create()
    const scopes: ApiKeyScope[] = ['customers.read']
    const { key: revoked } = await insertApiKey(app, owner.user.id, scopes, { revoked: true })
    await send(key, listUsers.path)
    await send(key, '/api/user')
    await send(revoked, listUsers.path)
    await addNote(key, 0)
    expect(app.logs.length).toBeGreaterThan(0)
    for (const secret of [key, revoked]) expect(app.logs.join()).not.toContain(secret.slice(10))
  })
})
