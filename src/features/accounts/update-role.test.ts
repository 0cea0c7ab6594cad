import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { listUsers, updateRole } from './admin-contract.ts'
import { currentUser } from './contract.ts'
import { lastAdminMessage } from './rules.ts'

let app: TestApp
let chief: SignedIn
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
  chief = await app.signInAdmin({ username: 'chief' })
})
afterAll(() => app.close())

const put = ({ client }: Pick<SignedIn, 'client'>, userId: number | string, body: unknown) =>
  client.request(`/api/admin/users/${userId}/role`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const roleOf = async ({ user }: SignedIn) =>
  (await app.db.select({ role: users.role }).from(users).where(eq(users.id, user.id)))[0]!.role
const auditRows = ({ user }: SignedIn) =>
  app.db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.targetType, 'user'),
        eq(auditLog.targetId, String(user.id)),
        eq(auditLog.action, 'user.update_role'),
      ),
    )
const admins = async () => (await app.db.select({ id: users.id }).from(users).where(eq(users.role, 'admin'))).length

describe('a role change is refused, and nothing is written,', () => {
  test('for anonymous callers and customers, even for their own role', async () => {
    const who = await app.signIn()
    expect((await put({ client: app.client() }, who.user.id, { role: 'admin' })).status).toBe(401)
    expect((await put(who, who.user.id, { role: 'admin' })).status).toBe(403)
    expect([await roleOf(who), await auditRows(who)]).toEqual(['user', []])
  })

  test.each([{}, { role: 'owner' }, { role: null }, { role: ['admin'] }, { role: 'Admin' }])(
    'for the body %j',
    async (body) => {
      const who = await app.signIn()
      expect((await put(chief, who.user.id, body)).status).toBe(400)
      expect(await roleOf(who)).toBe('user')
    },
  )

  test.each([2147483647, 0, -1, 'x', '1e3', '99999999999'])('for the unknown user %s', async (userId) => {
    expect((await put(chief, userId, { role: 'admin' })).status).toBe(404)
  })

  test('for the last administrator, with a message that says what to do', async () => {
    const response = await put(chief, chief.user.id, { role: 'user' })
    expect([response.status, await response.json()]).toEqual([409, { code: 'last_admin', message: lastAdminMessage }])
    expect([await roleOf(chief), await auditRows(chief)]).toEqual(['admin', []])
  })
})

describe('a role change', () => {
  test('takes effect with the next request of open sessions, for promotions and demotions, and is audited with the old and new role', async () => {
    const who = await app.signIn()
    expect((await who.client.request('/api/admin/users')).status).toBe(403)
    const promoted = await chief.client.call(updateRole, { params: { userId: who.user.id }, body: { role: 'admin' } })
    expect(promoted).toMatchObject({ id: who.user.id, role: 'admin' })
    expect((await who.client.call(listUsers, { query: { pageSize: 1 } })).rows).toHaveLength(1)

    await chief.client.call(updateRole, { params: { userId: who.user.id }, body: { role: 'user' } })
    expect((await who.client.request('/api/admin/users')).status).toBe(403)
    expect(await who.client.call(currentUser, {})).toMatchObject({ role: 'user' })
    expect(await auditRows(who)).toMatchObject([
      { actorId: chief.user.id, before: { role: 'user' }, after: { role: 'admin' } },
      { actorId: chief.user.id, before: { role: 'admin' }, after: { role: 'user' } },
    ])
  })

  test('to the current role changes nothing and is not audited', async () => {
    const who = await app.signIn()
    expect((await put(chief, who.user.id, { role: 'user' })).status).toBe(200)
    expect(await auditRows(who)).toEqual([])
  })

  test('may affect the actor’s own role while another administrator is left', async () => {
    const other = await app.signInAdmin()
    expect((await put(other, other.user.id, { role: 'user' })).status).toBe(200)
    expect((await put(other, other.user.id, { role: 'admin' })).status).toBe(403)
  })

  test('by two administrators who demote each other concurrently leaves one of them an administrator', async () => {
    for (let round = 0; round < 15; round++) {
      const other = await app.signInAdmin()
      const responses = await Promise.all([
        put(chief, other.user.id, { role: 'user' }),
        put(other, chief.user.id, { role: 'user' }),
        put(chief, other.user.id, { role: 'user' }),
        put(other, chief.user.id, { role: 'user' }),
      ])
      for (const { status } of responses) expect([200, 403]).toContain(status)
      expect(await admins()).toBe(1)
      await app.database.pool.query("update users set role = 'admin' where id = $1", [chief.user.id])
      await app.database.pool.query("update users set role = 'user' where id = $1", [other.user.id])
    }
  })
})
