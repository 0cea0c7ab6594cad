import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '#server/audit.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createUser } from '../../../test/harness/factories.ts'
import { listAuditLog, listAuditWords } from './admin-contract.ts'
import { actionText, differencesOf, targetLink, valueText } from './rules.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin({ username: 'the_chief' })
})
afterAll(() => app.close())

const list = (query: object) => admin.client.call(listAuditLog, { query })

describe('the audit log', () => {
  let invoiceId: number
  beforeAll(async () => {
    const customer = await createUser(app.db, { username: 'lenavogt' })
    const invoice = await createInvoice(app.db, { userId: customer.id, invoiceNumber: 'ORD-AUDIT1' })
    invoiceId = invoice.id
    await audit(app.db, {
      actorId: null,
      action: 'invoice.expire',
      targetType: 'invoice',
      targetId: invoice.id,
      before: { status: 'draft' },
      after: { status: 'expired' },
    })
    await audit(app.db, {
      actorId: admin.user.id,
      action: 'user.reset_password',
      targetType: 'user',
      targetId: customer.id,
      before: { password: 'old' },
      after: { password: 'CANARY-9' },
      requestId: 'f0000000-0000-4000-8000-000000000001',
    })
    await audit(app.db, { actorId: admin.user.id, action: 'settings.update', targetType: 'setting', targetId: 'site' })
    await app.database.pool.query(
      "insert into audit_log (at, actor_id, action, target_type, target_id) values ('2024-02-29T23:59:59.999Z', $1, 'plan.edit', 'plan', '7'), ('2024-03-01T00:00:00Z', $1, 'plan.edit', 'plan', '7')",
      [admin.user.id],
    )
  })

  test('is closed to customers and anonymous callers, and no request can write to it', async () => {
    const customer = await app.signIn()
    for (const path of ['/api/admin/audit', '/api/admin/audit/words', '/admin/audit.csv']) {
      expect((await customer.client.request(path)).status).toBe(403)
      expect((await app.client().request(path)).status).toBe(401)
    }
    for (const method of ['POST', 'PUT'])
      expect((await admin.client.request('/api/admin/audit', { method, body: '{}' })).status).toBe(405)
    for (const query of ['from=yesterday', 'to=2024-13-01', 'from=0001-01-01', 'sort=actor', 'page=0'])
      expect((await admin.client.request(`/api/admin/audit?${query}`)).status, query).toBe(400)
  })

  test('lists actor, action and target, newest first, with labels and without secrets', async () => {
    const { rows, total } = await list({ pageSize: 3 })
    expect(total).toBe(5)
    expect(rows).toMatchObject([
      {
        action: 'settings.update',
        actor: { username: 'the_chief' },
        targetType: 'setting',
        targetId: 'site',
        targetLabel: null,
        before: null,
        after: null,
      },
      {
        action: 'user.reset_password',
        targetLabel: 'lenavogt',
        before: { password: '(hidden)' },
        after: { password: '(hidden)' },
      },
      {
        action: 'invoice.expire',
        actor: null,
        targetLabel: 'ORD-AUDIT1',
        before: { status: 'draft' },
        after: { status: 'expired' },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain('CANARY')
  })

  test('can be filtered by user, request, target id, action, target type and date', async () => {
    const actions = async (query: object) => (await list(query)).rows.map(({ action }) => action)
    expect(await actions({ search: 'CHIEF', targetType: 'setting' })).toEqual(['settings.update'])
    expect(await actions({ search: 'f0000000-0000-4000-8000-000000000001' })).toEqual(['user.reset_password'])
    expect(await actions({ search: `#${invoiceId}`, targetType: 'invoice' })).toEqual(['invoice.expire'])
    expect(await actions({ action: 'plan.edit', to: '2024-02-29' })).toEqual(['plan.edit'])
    expect((await list({ from: '2024-03-01', to: '2024-03-01' })).rows).toMatchObject([
      { at: '2024-03-01T00:00:00.000Z' },
    ])
    expect((await list({ from: '2024-02-29', to: '2024-03-01' })).total).toBe(2)
    expect(await actions({ search: '%' })).toEqual([])
    expect(await actions({ action: 'plan%' })).toEqual([])
  })

  test('lists each action and target type once, sorted', async () => {
    expect(await admin.client.call(listAuditWords, {})).toEqual({
      actions: ['invoice.expire', 'plan.edit', 'settings.update', 'user.reset_password'],
      targetTypes: ['invoice', 'plan', 'setting', 'user'],
    })
  })

  test('exports CSV without secrets', async () => {
    const text = await (await admin.client.request('/admin/audit.csv?action=user.reset_password')).text()
    expect(text).toContain('lenavogt')
    expect(text).not.toContain('CANARY')
    expect(text.trimEnd().split('\r\n')).toHaveLength(2)
  })
})

describe('a difference', () => {
  test('names only changed fields, nested ones by their path', () => {
    const before = { status: 'pending', subscription: { planId: 1, endDate: null }, tags: ['a'], same: 1 }
    const after = { status: 'paid', subscription: { planId: 1, endDate: '2026-01-01' }, tags: ['a', 'b'], same: 1 }
    expect(differencesOf({ before, after })).toEqual([
      { field: 'Status', before: 'pending', after: 'paid' },
      { field: 'Subscription › End date', before: null, after: '2026-01-01' },
      { field: 'Tags', before: ['a'], after: ['a', 'b'] },
    ])
  })
  test('shows added and removed fields', () => {
    expect(differencesOf({ before: null, after: { role: 'admin' } })).toEqual([
      { field: 'Role', before: undefined, after: 'admin' },
    ])
    expect(differencesOf({ before: { role: 'admin' }, after: null })).toEqual([
      { field: 'Role', before: 'admin', after: undefined },
    ])
    expect(differencesOf({ before: null, after: null })).toEqual([])
  })
  test('shows values and actions as text', () => {
    expect([null, undefined, '', true, false, 0, 'x', ['a', 'b'], [], { a: 1 }].map(valueText)).toEqual([
      '–',
      '–',
      '–',
      'yes',
      'no',
      '0',
      'x',
      'a, b',
      '–',
      '{"a":1}',
    ])
    expect(['invoice.confirm', 'user.start_view', 'line.create_now'].map(actionText)).toEqual([
      'Payment confirmed',
      'Started viewing as the customer',
      'Line create now',
    ])
  })
})

test('a target links to its page if it has one', () => {
  const entry = { id: 1, at: '', actor: null, apiKey: null, action: 'x', before: null, after: null, requestId: null }
  const to = (targetType: string, targetId: string, targetLabel: string | null = null) =>
    targetLink({ ...entry, targetType, targetId, targetLabel })
  expect(to('invoice', '7', 'ORD-AUDIT1')).toMatchObject({ params: { invoiceNumber: 'ORD-AUDIT1' } })
  expect(to('user', '7')).toMatchObject({ params: { userId: '7' } })
  expect(to('trial_request', '7')).toMatchObject({ search: { tab: 'trials', search: '#7', status: 'all' } })
  expect(to('setting', 'site')).toBeUndefined()
})
