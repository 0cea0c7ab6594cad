import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentUser, updatePassword } from '#features/accounts/contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { listSessions } from '#features/sessions/contract.ts'
import { trialPasswordContext } from '#features/trials/server/service/read-trial-requests.ts'
import { endpoints } from '#server/app.ts'
import { auditLog, inquiries, loginPlaces, sessions, trialRequests, users } from '#server/db/tables.ts'
import { seal, secretKey } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { password } from '../../../test/harness/factories.ts'
import { startViewing } from './admin-contract.ts'
import { stopViewing } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
})
afterAll(() => app.close())

const view = ({ client }: SignedIn, { user }: SignedIn) =>
  client.call(startViewing, { params: { userId: user.id } } as never)
const stop = ({ client }: SignedIn) => client.call(stopViewing, {} as never)
const whoIs = async ({ client }: SignedIn) => (await client.call(currentUser, {} as never))?.id
const sessionsOf = (userId: number) => app.db.select().from(sessions).where(eq(sessions.userId, userId))
const both = async () => [await app.signInAdmin(), await app.signIn()] as const

describe('viewing as a customer is refused', () => {
  test('if the actor is a customer, or if the target is unknown, the actor or another administrator', async () => {
    const [admin, customer] = await both()
    expect((await customer.client.post(`/api/admin/users/${admin.user.id}/view`, {})).status).toBe(403)
    expect((await admin.client.post('/api/admin/users/2147483647/view', {})).status).toBe(404)
    for (const { user } of [admin, await app.signInAdmin()])
      expect((await admin.client.post(`/api/admin/users/${user.id}/view`, {})).status).toBe(409)
    expect(await whoIs(admin)).toBe(admin.user.id)
  })
})

describe('while viewing as a customer, access is refused', () => {
  test('to every write endpoint, and nothing is written', async () => {
    const [admin, customer] = await both()
    await view(admin, customer)
    // Signed endpoints are for other servers. They refuse requests from web pages, but with a different error.
    const writes = endpoints.filter(
      ({ method, openWhileViewing, signedBy }) => method !== 'GET' && !openWhileViewing && !signedBy,
    )
    expect(writes.length).toBeGreaterThan(30)
    for (const { method, path } of writes) {
      const url = path.replace(/:\w+/g, String(customer.user.id))
      const response = await admin.client.request(url, {
        method,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      const { code } = (await response.json()) as { code: string }
      expect([response.status, path.startsWith('/api/admin') ? 'read_only_view' : code], path).toEqual([
        403,
        'read_only_view',
      ])
    }
    const message = {
      name: 'Nobody',
      email: 'n@example.org',
      message: 'A message of ten letters',
      newsletterOpt: false,
    }
    expect((await admin.client.post('/api/inquiries', message)).status).toBe(403)
    expect(await app.db.$count(inquiries)).toBe(0)
  })

  test('to admin endpoints, because the session has only the customer’s permissions', async () => {
    const [admin, customer] = await both()
    await view(admin, customer)
    expect((await admin.client.request('/api/admin/users')).status).toBe(403)
    expect((await admin.client.request(`/api/admin/users/${customer.user.id}`)).status).toBe(403)
  })
})

describe('a view', () => {
  test('shows what the customer sees and when it ends, and does not affect the customer’s sessions', async () => {
    const [admin, customer] = await both()
    const before = [
      await sessionsOf(customer.user.id),
      await app.db.select().from(loginPlaces).where(eq(loginPlaces.userId, customer.user.id)),
    ]
    const seen = (await admin.client.call(getCustomer, { params: { userId: customer.user.id } } as never)).lastSeenAt
    const { until } = await view(admin, customer)
    expect(await admin.client.call(currentUser, {} as never)).toMatchObject({
      id: customer.user.id,
      viewedUntil: until,
    })
    expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    expect(await customer.client.call(listSessions, {} as never)).toHaveLength(1)
    await stop(admin)
    expect((await admin.client.call(getCustomer, { params: { userId: customer.user.id } } as never)).lastSeenAt).toBe(
      seen,
    )
    expect([
      await sessionsOf(customer.user.id),
      await app.db.select().from(loginPlaces).where(eq(loginPlaces.userId, customer.user.id)),
    ]).toEqual(before)
    expect(await customer.client.call(currentUser, {} as never)).not.toHaveProperty('viewedUntil')
  })

  test('hides line credentials: the customer sees the trial’s password, the viewing administrator does not', async () => {
    const [admin, customer] = await both()
    const [row] = await app.db
      .insert(trialRequests)
      .values({ userId: customer.user.id, message: 'I would like to try', device: 'Firestick' })
      .returning()
    const trialPassword = seal(secretKey(app.context.config), 'open-sesame', trialPasswordContext(row!.id))
    const granted = {
      status: 'approved' as const,
      trialUsername: 'try-me',
      trialPassword,
      trialServer: 'http://tv.example',
      expiryDate: '2090-01-01T00:00:00.000Z',
    }
    await app.db.update(trialRequests).set(granted).where(eq(trialRequests.id, row!.id))
    const read = async ({ client }: SignedIn) => (await client.request('/api/trial-requests')).text()
    expect(await read(customer)).toContain('open-sesame')
    await view(admin, customer)
    expect(await read(admin)).not.toContain('open-sesame')
    expect(await read(admin)).toContain('(hidden)')
  })

  test('is audited at its start and end, with the administrator and the customer', async () => {
    const [admin, customer] = await both()
    await view(admin, customer)
    expect(await stop(admin)).toEqual({ userId: customer.user.id, signedIn: true })
    const rows = await app.db.select().from(auditLog).where(eq(auditLog.actorId, admin.user.id))
    expect(rows).toMatchObject(
      ['user.start_view', 'user.stop_view'].map((action) => ({
        action,
        targetType: 'user',
        targetId: String(customer.user.id),
      })),
    )
  })

  test('ends with Stop: the administrator’s own session is restored, and the token of the view no longer works', async () => {
    const [admin, customer] = await both()
    await view(admin, customer)
    const token = admin.client.cookies.get('sid')!
    await stop(admin)
    expect([await whoIs(admin), admin.client.cookies.has('own')]).toEqual([admin.user.id, false])
    const thief = app.client()
    thief.cookies.set('sid', token)
    expect((await thief.request('/api/user')).status).toBe(401)
    expect(await stop(admin), 'a second Stop changes nothing').toEqual({ userId: null, signedIn: true })
    expect(await whoIs(admin)).toBe(admin.user.id)
  })

  test('expires after fifteen minutes, and Stop still restores the administrator’s session', async () => {
    const [admin, customer] = await both()
    await view(admin, customer)
    await app.database.pool.query(
      `UPDATE sessions SET expires_at = expires_at - interval '15 minutes' WHERE impersonated_by = ${admin.user.id}`,
    )
    expect((await admin.client.request('/api/user')).status).toBe(401)
    expect(await stop(admin)).toEqual({ userId: null, signedIn: true })
    expect(await whoIs(admin)).toBe(admin.user.id)
  })

  test.each<[string, (admin: SignedIn, customer: SignedIn) => Promise<unknown>]>([
    [
      'the administrator is demoted',
      ({ user }) => app.db.update(users).set({ role: 'user' }).where(eq(users.id, user.id)),
    ],
    [
      'the customer becomes an administrator',
      (_, { user }) => app.db.update(users).set({ role: 'admin' }).where(eq(users.id, user.id)),
    ],
    [
      'the customer changes the password',
      (_, { client }) =>
        client.call(updatePassword, { body: { currentPassword: password, newPassword: 'another horse' } }),
    ],
  ])('ends when %s', async (_when, happen) => {
    const [admin, customer] = await both()
    await view(admin, customer)
    await happen(admin, customer)
    expect((await admin.client.request('/api/user')).status).toBe(401)
  })

  test('ends when the administrator’s sessions end', async () => {
    const [admin, customer] = await both()
    const otherSession = await app.signIn(admin.user.username)
    await view(admin, customer)
    await otherSession.client.call(updatePassword, {
      body: { currentPassword: password, newPassword: 'another horse' },
    })
    expect((await admin.client.request('/api/user')).status).toBe(401)
    expect(await stop(admin)).toEqual({ userId: null, signedIn: false })
  })

  test('ends with a logout, which also ends the administrator’s own session', async () => {
    const [admin, customer] = await both()
    await view(admin, customer)
    expect((await admin.client.post('/api/logout', {})).status).toBe(200)
    expect([...admin.client.cookies.keys()]).toEqual([])
    expect([await sessionsOf(admin.user.id), (await sessionsOf(customer.user.id)).length]).toEqual([[], 1])
  })

  test('is not blocked when the customer must change the password, and the customer still must change it', async () => {
    const admin = await app.signInAdmin()
    const customer = await app.signIn({ mustChangePassword: true })
    await view(admin, customer)
    expect((await admin.client.request('/api/invoices')).status).toBe(200)
    expect((await customer.client.request('/api/invoices')).status).toBe(403)
  })
})
