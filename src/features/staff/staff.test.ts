import { and, desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetPassword, updateRole } from '#features/accounts/admin-contract.ts'
import { currentUser } from '#features/accounts/contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { getTimeline } from '#features/customers/admin-timeline-contract.ts'
import { getWorkCounts, searchDesk } from '#features/desk/admin-contract.ts'
import { getQueue } from '#features/desk/admin-queue-contract.ts'
import { startViewing } from '#features/impersonation/admin-contract.ts'
import { getMailServer, updateMailServer } from '#features/mails/admin-server-contract.ts'
import { getSetting, updateSetting } from '#features/settings/admin-contract.ts'
import { builtInRoles, grantablePermissions } from '#kit/permissions.ts'
import { auditLog, mails, staffRoles, trialRequests, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan } from '../../../test/harness/factories.ts'
import * as contract from './admin-contract.ts'
import { permissionGroups } from './permission-rules.ts'

let app: TestApp
let owner: SignedIn
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  owner = await app.signInAdmin({ username: 'the_owner' })
})
afterAll(() => app.close())

const roleNamed = async (key: string) =>
  (await app.db.select({ id: staffRoles.id }).from(staffRoles).where(eq(staffRoles.key, key)))[0]!.id
const member = async (key: string) => app.signInAdmin({ staffRoleId: await roleNamed(key) })
const give = (userId: number, role: 'owner' | 'none' | number, by = owner) =>
  by.client.call(contract.changeMember, { params: { userId }, body: { role } })
const newRole = (permissions: string[], name = 'Night shift') =>
  owner.client.call(contract.createStaffRole, { body: { name, description: '', permissions: permissions as never } })
const statusOf = async ({ client }: SignedIn, path: string) => (await client.request(path)).status
const auditOf = (action: string) =>
  app.db
    .select({ before: auditLog.before, after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, action as never))
    .orderBy(desc(auditLog.id))

describe('saving or deleting a role is refused', () => {
  test('without permissions, with an unknown permission, and with one that no role may contain', async () => {
    for (const permissions of [[], ['everything'], ['staff.manage'], ['desk.use']])
      await expect(newRole(permissions)).rejects.toMatchObject({ status: 400 })
  })

  test('with the name of another role, in upper or lower case', async () => {
    await expect(newRole(['reports.read'], 'SUPPORT')).rejects.toMatchObject({ status: 400, code: 'name_taken' })
  })

  test('for a built-in role', async () => {
    const roleId = await roleNamed('support')
    const body = { name: 'Support', description: '', permissions: ['reports.read' as const], version: 1 }
    await expect(owner.client.call(contract.updateStaffRole, { params: { roleId }, body })).rejects.toMatchObject({
      code: 'built_in_role',
    })
    await expect(
      owner.client.call(contract.deleteStaffRole, { params: { roleId }, query: { version: 1 } }),
    ).rejects.toMatchObject({ code: 'built_in_role' })
  })
})

describe('a staff member', () => {
  test('is added with a role by username or email address and removed again: both are audited, and owners get an email about the new member', async () => {
    const who = await app.signIn()
    const support = await roleNamed('support')
    const add = (account: string) => owner.client.call(contract.addMember, { body: { account, role: support } })
    await expect(add('unknown@example.org')).rejects.toMatchObject({ status: 400, code: 'unknown_account' })
    await add(who.user.email.toUpperCase())
    await expect(add(who.user.username)).rejects.toMatchObject({ status: 409, code: 'already_staff' })
    expect(await who.client.call(currentUser, {})).toMatchObject({
      role: 'admin',
      staff: { key: 'support', name: 'Support' },
    })
    const { members } = await owner.client.call(contract.getStaff, {})
    expect(members.map(({ username, roleName }) => [username, roleName])).toEqual([
      ['the_owner', 'Owner'],
      [who.user.username, 'Support'],
    ])
    await give(who.user.id, 'none')
    expect(await who.client.call(currentUser, {})).toMatchObject({ role: 'user', staff: null })
    expect((await auditOf('user.update_role')).slice(0, 2)).toEqual([
      { before: { role: 'admin', staffRole: 'Support' }, after: { role: 'user' } },
      { before: { role: 'user' }, after: { role: 'admin', staffRole: 'Support' } },
    ])
    const notices = await app.db
      .select({ data: mails.data })
      .from(mails)
      .where(and(eq(mails.userId, owner.user.id), eq(mails.template, 'admin_notice')))
    expect(notices).toEqual([
      { data: expect.objectContaining({ event: 'staff_changed', about: expect.stringContaining('Support') }) },
    ])
  })

  test('sees only what the role allows in the queue, the counts and the search', async () => {
    const customer = await app.signIn({ username: 'canary_customer' })
    const plan = await createPlan(app.db)
    const submittedAt = new Date().toISOString()
    const invoice = { userId: customer.user.id, planId: plan.id, status: 'pending' as const, submittedAt }
    await createInvoice(app.db, { ...invoice, paymentMethod: 'venmo' })
    await app.db.insert(trialRequests).values({ userId: customer.user.id, device: 'TV', message: 'Please let me try' })
    const look = async ({ client }: SignedIn) => {
      const counts = await client.call(getWorkCounts, {})
      const queue = await client.call(getQueue, { query: {} })
      const found = await client.call(searchDesk, { query: { search: 'canary_customer' } })
      return [
        counts.payment.count,
        counts.trial.count,
        queue.items.map(({ kind }) => kind).sort(),
        queue.totals.payment.count,
        [found.customers.length, found.invoices.length, found.trials.length],
      ]
    }
    expect(await look(owner)).toEqual([1, 1, ['payment', 'trial'], 1, [1, 1, 1]])
    expect(await look(await member('support'))).toEqual([0, 1, ['trial'], 0, [1, 0, 1]])
    expect(await look(await member('cashier'))).toEqual([1, 0, ['payment'], 1, [1, 1, 0]])
    expect(await look(await member('catalog_editor'))).toEqual([0, 0, [], 0, [0, 0, 0]])
  })

  test('who may not see invoices sees no money on the page of a customer', async () => {
    const customer = await app.signIn()
    const { id: planId } = await createPlan(app.db)
    const paidAt = new Date().toISOString()
    await createInvoice(app.db, { userId: customer.user.id, planId, status: 'paid', paidAt, amount: 900 })
    const params = { userId: customer.user.id }
    const look = async ({ client }: SignedIn) => {
      const { paid } = await client.call(getCustomer, { params })
      const { entries, counts } = await client.call(getTimeline, { params, query: {} })
      return [paid?.total, entries.some(({ group }) => group === 'money'), counts!.money > 0]
    }
    expect(await look(owner)).toEqual([900, true, true])
    expect(await look(await member('support'))).toEqual([undefined, false, false])
  })

  test('cannot take over the account of another member: resetting the password or second factor and viewing as the member are refused', async () => {
    const support = await member('support')
    const other = await member('cashier')
    for (const { user } of [owner, other]) {
      const params = { userId: user.id }
      await expect(
        support.client.call(resetPassword, { params, body: { newPassword: 'taken over 4711' } }),
      ).rejects.toMatchObject({ status: 403, code: 'owners_only' })
      expect((await support.client.post(`/api/admin/users/${user.id}/reset-two-factor`, {})).status).toBe(403)
      await expect(support.client.call(startViewing, { params })).rejects.toMatchObject({ status: 409 })
    }
  })

  test('who may edit settings cannot change the mail server, which gets the password reset links, or how administrators log in', async () => {
    const { id: staffRoleId } = await newRole(['settings.read', 'settings.edit'], 'Settings')
    const { client } = await app.signInAdmin({ staffRoleId })
    const { version, value } = await client.call(getMailServer, {})
    const body = { version, value: { ...value, host: 'mail.example.org', address: 'tv@example.org' } }
    const refused = { status: 403, code: 'no_permission' }
    await expect(client.call(updateMailServer, { body })).rejects.toMatchObject(refused)
    const params = { section: 'accounts' as const }
    const login = await client.call(getSetting, { params })
    await expect(client.call(updateSetting, { params, body: login })).rejects.toMatchObject(refused)
  })
})

describe('a custom role', () => {
  test('takes effect for its members on their next request after a change; the change ends their customer views and is audited', async () => {
    const { id: roleId, version } = await newRole(['reports.read', 'customers.view_as'])
    const who = await app.signInAdmin({ staffRoleId: roleId })
    const customer = await app.signIn()
    expect(await statusOf(who, '/api/admin/reports')).toBe(200)
    expect(await statusOf(who, '/api/admin/inquiries')).toBe(403)
    const own = [...who.client.cookies]
    await who.client.call(startViewing, { params: { userId: customer.user.id } })
    expect(await who.client.call(currentUser, {})).toMatchObject({ id: customer.user.id })

    const body = { name: 'Night shift', description: 'At night', permissions: ['inquiries.read' as const], version }
    const saved = await owner.client.call(contract.updateStaffRole, { params: { roleId }, body })
    expect(saved).toMatchObject({ members: 1, permissions: ['inquiries.read'], version: version + 1 })
    expect(await who.client.call(currentUser, {})).toBeNull()
    for (const [name, value] of own) who.client.cookies.set(name, value)
    expect(await statusOf(who, '/api/admin/reports')).toBe(403)
    expect(await statusOf(who, '/api/admin/inquiries')).toBe(200)
    expect((await auditOf('staff_role.update'))[0]).toEqual({
      before: { description: '', permissions: ['customers.view_as', 'reports.read'] },
      after: { description: 'At night', permissions: ['inquiries.read'] },
    })
    await expect(owner.client.call(contract.updateStaffRole, { params: { roleId }, body })).rejects.toMatchObject({
      code: 'stale',
    })
    const remove = () =>
      owner.client.call(contract.deleteStaffRole, { params: { roleId }, query: { version: version + 1 } })
    await expect(remove()).rejects.toMatchObject({ status: 409, code: 'role_in_use' })
    await give(who.user.id, 'none')
    await remove()
  })

  test('no longer allows a write if it loses the permission while the write waits for a lock', async () => {
    const { id: roleId, version } = await newRole(['inquiries.edit', 'inquiries.read'], 'Waiting')
    const who = await app.signInAdmin({ staffRoleId: roleId })
    const { rows } = await app.database.pool.query<{ id: number }>(
      "INSERT INTO inquiries (name, email, message) VALUES ('Pat', 'pat@example.org', 'A question') RETURNING id",
    )
    // Takes the lock that a role change takes, so that the write waits after its permission check.
    const client = await app.database.pool.connect()
    await client.query('BEGIN')
    await client.query("SELECT pg_advisory_xact_lock(hashtext('roles'), $1::int)", [who.user.id])
    const writing = who.client.request(`/api/admin/inquiries/${rows[0]!.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'answered', note: '', version: 1 }),
    })
    await expect
      .poll(async () => {
        const waiting = await app.database.pool.query(
          "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
        )
        return waiting.rowCount
      })
      .toBe(1)
    await client.query('UPDATE staff_role_permissions SET permission = $2 WHERE role_id = $1 AND permission = $3', [
      roleId,
      'reports.edit',
      'inquiries.edit',
    ])
    await client.query('COMMIT')
    client.release()
    const response = await writing
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'no_permission' }])
    expect(version).toBe(1)
  })
})

describe('roles', () => {
  test('are changed only by owners, and the last owner cannot lose that status', async () => {
    const readOnly = await member('read_only')
    await expect(give(owner.user.id, 'none', readOnly)).rejects.toMatchObject({ status: 403, code: 'no_permission' })
    for (const role of ['none' as const, await roleNamed('support')])
      await expect(give(owner.user.id, role)).rejects.toMatchObject({ status: 409, code: 'last_admin' })
  })

  test('are kept when the role dialog of the user list makes a staff member an administrator', async () => {
    const cashier = await member('cashier')
    const params = { userId: cashier.user.id }
    await owner.client.call(updateRole, { params, body: { role: 'admin' } })
    expect(await cashier.client.call(currentUser, {})).toMatchObject({ staff: { key: 'cashier' } })
  })

  test('are not given to customers, nor deleted while they have members, even by a direct change of the database', async () => {
    const roleId = await roleNamed('cashier')
    await expect(app.signIn({ staffRoleId: roleId })).rejects.toThrow()
    await expect(app.database.pool.query('DELETE FROM staff_roles WHERE id = $1', [roleId])).rejects.toThrow()
    expect(await app.db.select().from(users).where(eq(users.id, owner.user.id))).toMatchObject([{ staffRoleId: null }])
  })
})

test('the roles with a key are the built-in ones, and each permission has a label', async () => {
  const rows = await app.db.select({ key: staffRoles.key }).from(staffRoles)
  expect(rows.flatMap(({ key }) => key ?? []).sort()).toEqual(Object.keys(builtInRoles).sort())
  expect(permissionGroups.flatMap(({ permissions }) => Object.keys(permissions))).toEqual([...grantablePermissions])
})

describe('under SELF_APPROVAL=deny', () => {
  test('giving a customer a role, and adding permissions to a role with members, need a second owner', async () => {
    const strict = await buildApp({ config: { selfApproval: 'deny' } })
    try {
      const [first, second, who] = [await strict.signInAdmin(), await strict.signInAdmin(), await strict.signIn()]
      const { id: roleId } = await first.client.call(contract.createStaffRole, {
        body: { name: 'Desk', description: '', permissions: ['reports.read'] },
      })
      const add = ({ client }: SignedIn) =>
        client.call(contract.addMember, { body: { account: who.user.username, role: roleId } })
      const widen = ({ client }: SignedIn) =>
        client.call(contract.updateStaffRole, {
          params: { roleId },
          body: { name: 'Desk', description: '', permissions: ['reports.read', 'payments.read'], version: 1 },
        })
      const refusal = { status: 409, code: 'second_administrator' }
      await expect(add(first)).rejects.toMatchObject(refusal)
      await add(second)
      await expect(widen(second)).rejects.toMatchObject(refusal)
      await expect(widen(second)).rejects.toMatchObject(refusal)
      expect((await who.client.request('/api/admin/payments')).status).toBe(403)
      await widen(first)
      expect((await who.client.request('/api/admin/payments?tab=waiting')).status).toBe(200)
    } finally {
      await strict.close()
    }
  })

  test('a request of an owner no longer counts after that owner was given a role, or after the requested role was changed', async () => {
    const strict = await buildApp({ config: { selfApproval: 'deny' } })
    try {
      const [first, second, who] = [await strict.signInAdmin(), await strict.signInAdmin(), await strict.signIn()]
      const { id: roleId } = await first.client.call(contract.createStaffRole, {
        body: { name: 'Desk', description: '', permissions: ['reports.read'] },
      })
      const give = ({ client }: SignedIn, userId: number, role: 'owner' | number) =>
        client.call(contract.changeMember, { params: { userId }, body: { role } })
      const refusal = { status: 409, code: 'second_administrator' }
      await expect(give(first, who.user.id, roleId)).rejects.toMatchObject(refusal)
      await first.client.call(contract.updateStaffRole, {
        params: { roleId },
        body: { name: 'Desk', description: '', permissions: ['reports.read', 'payments.decide'], version: 1 },
      })
      await expect(give(second, who.user.id, roleId)).rejects.toMatchObject(refusal)
      await expect(give(first, who.user.id, 'owner')).rejects.toMatchObject(refusal)
      await give(second, first.user.id, roleId)
      await expect(give(second, who.user.id, 'owner')).rejects.toMatchObject(refusal)
    } finally {
      await strict.close()
    }
  })
})
