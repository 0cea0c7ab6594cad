import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, savedViews } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from './admin-contract.ts'
import { maxViews } from './server/service/save-view.ts'

let app: TestApp
let admin: SignedIn
let other: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  other = await app.signInAdmin({ username: 'second_desk' })
})
afterAll(() => app.close())
beforeEach(() => app.db.delete(savedViews))

const view = {
  list: 'invoices',
  name: 'Open cards',
  shared: false,
  query: { status: 'pending' },
  hiddenColumns: ['planName'],
}
const { list: _, ...fields } = view
const save = (overrides: Partial<typeof view> = {}, by = admin) =>
  by.client.call(createSavedView, { body: { ...view, ...overrides } })
const namesFor = async (by: SignedIn, list = 'invoices') =>
  (await by.client.call(listSavedViews, { query: { list } })).map(({ name }) => name)
const actionsOf = async (id: number) =>
  (
    await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(id)))
  ).map(({ action }) => action)

describe('a view is refused', () => {
  test.each([
    ['without a name', { name: ' ' }, 'name'],
    ['with a name of 61 characters', { name: 'x'.repeat(61) }, 'name'],
    ['with a control character', { name: 'a\u202eb' }, 'name'],
    ['with a malformed list name', { list: 'Invoices; drop' }, 'list'],
    ['with a malformed parameter name', { query: { 'a=b': 'x' } }, 'query'],
    ['with a long value', { query: { search: 'x'.repeat(255) } }, 'query'],
    ['with 13 parameters', { query: Object.fromEntries([...'abcdefghijklm'].map((key) => [key, '1'])) }, 'query'],
    ['with 41 columns', { hiddenColumns: Array.from({ length: 41 }, (_each, n) => `c${n}`) }, 'hiddenColumns'],
  ])('%s', async (_name, overrides, path) => {
    const response = await admin.client.post('/api/admin/saved-views', { ...view, ...overrides })
    expect(response.status).toBe(400)
    const { code, issues } = (await response.json()) as { code: string; issues: { path: string }[] }
    expect([code, issues[0]!.path.split('.')[0]]).toEqual(['invalid', path])
    expect(await app.db.select().from(savedViews)).toEqual([])
  })

  test('with a name that the same administrator already uses for the same list, in upper or lower case', async () => {
    await save()
    const again = await admin.client.post('/api/admin/saved-views', { ...view, name: 'OPEN CARDS' })
    expect([again.status, await again.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'name_taken', message: 'You already have a view of this list with this name' }),
    ])
    await save({ list: 'users' })
    await save({}, other)
    const renamed = await save({ name: 'Other' })
    const refused = await admin.client.request(`/api/admin/saved-views/${renamed.id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...fields, version: 1 }),
    })
    expect(refused.status).toBe(400)
  })

  test('beyond the maximum number of views of a list', async () => {
    await app.db.insert(savedViews).values(
      Array.from({ length: maxViews }, (_each, n) => ({
        ownerId: admin.user.id,
        list: 'invoices',
        name: `View ${n}`,
      })),
    )
    const refused = await admin.client.post('/api/admin/saved-views', view)
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'too_many_views'])
  })

  test('if another administrator, an outdated version or an unknown id is used, and nothing changes', async () => {
    const own = await save()
    const shared = await save({ name: 'Everyone', shared: true })
    const change = (id: number, by: SignedIn, version = 1) =>
      by.client
        .request(`/api/admin/saved-views/${id}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...fields, name: 'Mine', version }),
        })
        .then(({ status }) => status)
    expect([await change(own.id, other), await change(shared.id, other)]).toEqual([404, 403])
    expect([await change(own.id, admin, 7), await change(2147483647, admin)]).toEqual([409, 404])
    expect((await other.client.request(`/api/admin/saved-views/${shared.id}`, { method: 'DELETE' })).status).toBe(403)
    expect(await namesFor(admin)).toEqual(['Everyone', 'Open cards'])
  })
})

test('an administrator sees their own views and the shared ones of the same list', async () => {
  await save()
  await save({ name: 'All cards', shared: true })
  await save({ name: 'Elsewhere', list: 'users', shared: true })
  expect(await namesFor(admin)).toEqual(['All cards', 'Open cards'])
  expect(await other.client.call(listSavedViews, { query: { list: 'invoices' } })).toEqual([
    expect.objectContaining({
      name: 'All cards',
      isOwn: false,
      owner: admin.user.username,
      query: { status: 'pending' },
    }),
  ])
})

test('only shared views are audited: when shared, changed, no longer shared and deleted', async () => {
  const { id } = await save()
  const change = (shared: boolean, version: number) =>
    admin.client.call(updateSavedView, { params: { savedViewId: id }, body: { ...fields, shared, version } })
  await change(false, 1)
  expect(await actionsOf(id)).toEqual([])
  await change(true, 2)
  await change(false, 3)
  expect(await actionsOf(id)).toEqual(['saved_view.update', 'saved_view.update'])
  const shared = await save({ name: 'All cards', shared: true })
  await admin.client.call(deleteSavedView, { params: { savedViewId: shared.id } })
  expect(await actionsOf(shared.id)).toEqual(['saved_view.create', 'saved_view.delete'])
  expect(await namesFor(admin)).toEqual(['Open cards'])
})
