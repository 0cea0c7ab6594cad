import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, type Client, type TestApp } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { listUsers } from './admin-contract.ts'

let app: TestApp
let admin: Client
beforeAll(async () => {
  app = await buildApp()
  admin = (
    await app.signInAdmin({ username: 'zz_chief', email: 'chief@example.org', createdAt: '2019-01-01T00:00:00Z' })
  ).client
  const people = ['Bea', 'abe', 'Cal.50', 'do_t', 'dozt']
  for (const [i, username] of people.entries())
    await createUser(app.db, {
      username,
      email: `${username.toLowerCase()}@mail${i}.example`,
      createdAt: `2024-01-0${i + 1}T00:00:00Z`,
      ...(ends[username] && { subscriptionStatus: 'active', subscriptionEndDate: ends[username] }),
    })
})
afterAll(() => app.close())

const ends: Record<string, string> = {
  do_t: '2024-03-01T00:00:00Z',
  abe: '2024-02-01T00:00:00Z',
  Bea: '2024-02-01T00:00:00Z',
}
const names = async (query: object) => (await admin.call(listUsers, { query })).rows.map((user) => user.username)

describe('the list of users is refused', () => {
  test('for anonymous callers', async () => {
    expect((await app.client().request('/api/admin/users')).status).toBe(401)
  })

  test('for customers', async () => {
    const { client } = await app.signIn('abe')
    const response = await client.request('/api/admin/users')
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({ message: 'Only administrators can do this', code: 'admins_only' })
  })

  test('for an administrator as soon as they lose the role', async () => {
    const { client, user } = await app.signInAdmin()
    expect((await client.request('/api/admin/users')).status).toBe(200)
    await app.database.pool.query("update users set role = 'user' where id = $1", [user.id])
    expect((await client.request('/api/admin/users')).status).toBe(403)
    await app.database.pool.query('delete from users where id = $1', [user.id])
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'pageSize=0',
    'pageSize=501',
    'sort=password_hash',
    'sort=username;drop',
    'order=up',
    `search=${'x'.repeat(255)}`,
    'search=%00',
  ])('for the query %s', async (query) => {
    expect((await admin.request(`/api/admin/users?${query}`)).status).toBe(400)
  })
})

describe('the list of users', () => {
  test('is a plain array without secrets, newest first, and the response contains the total', async () => {
    const response = await admin.request('/api/admin/users')
    const text = await response.text()
    expect((JSON.parse(text) as { username: string }[]).map((user) => user.username)).toEqual([
      'dozt',
      'do_t',
      'Cal.50',
      'abe',
      'Bea',
      'zz_chief',
    ])
    expect([response.headers.get('x-total-count'), response.headers.get('link')]).toEqual(['6', null])
    expect(text).not.toMatch(/argon2|passwordHash|iptvPassword|stripe|referredBy/i)
  })

  test.each([
    [{ sort: 'username', order: 'asc' }, ['abe', 'Bea', 'Cal.50', 'do_t', 'dozt', 'zz_chief']],
    [{ sort: 'username' }, ['abe', 'Bea', 'Cal.50', 'do_t', 'dozt', 'zz_chief']],
    [{ sort: 'username', order: 'desc' }, ['zz_chief', 'dozt', 'do_t', 'Cal.50', 'Bea', 'abe']],
    [{ sort: 'email' }, ['abe', 'Bea', 'Cal.50', 'zz_chief', 'do_t', 'dozt']],
    [{ sort: 'role' }, ['zz_chief', 'abe', 'Bea', 'Cal.50', 'do_t', 'dozt']],
    [{ sort: 'subscriptionEndDate' }, ['Bea', 'abe', 'do_t', 'zz_chief', 'Cal.50', 'dozt']],
    [{ sort: 'subscriptionEndDate', order: 'desc', status: 'active' }, ['do_t', 'abe', 'Bea']],
    [{ order: 'asc', pageSize: 2 }, ['zz_chief', 'Bea']],
    [{ order: 'asc', pageSize: 2, page: 3 }, ['do_t', 'dozt']],
    [{ pageSize: 2, page: 4 }, []],
  ])('is sorted and paged by the query %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test.each([
    ['BEA', ['Bea']],
    ['mail3', ['do_t']],
    ['o_t', ['do_t']],
    ['%', []],
    ['_', ['do_t', 'zz_chief']],
    ['\\', []],
    ['.50', ['Cal.50']],
    ["'", []],
    ['  bea  ', ['Bea']],
    ['nobody', []],
    ['BE', ['abe', 'Bea']],
    ['o_', ['do_t']],
    ['%e', []],
    ['\\_', []],
    ['zz', ['zz_chief']],
  ])('is searched literally and case-insensitively by username and email address: %j', async (search, expected) => {
    const { rows, total } = await admin.call(listUsers, { query: { search, sort: 'username' } })
    expect(rows.map((user) => user.username)).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('is searched by full name, entered IPTV username and line username, even after they change', async () => {
    const { id } = await createUser(app.db, {
      username: 'found',
      fullName: 'Zoë Ünal-Quist',
      iptvUsername: 'Typed4711',
    })
    await app.database.pool.query(
      "insert into lines (user_id, username, password) values ($1, 'panelK33q', 'v1:none')",
      [id],
    )
    for (const search of ['ünal-q', 'zoë Ü', 'typed47', 'LK33', 'k3'])
      expect(await names({ search }), search).toEqual(['found'])
    await app.database.pool.query("update users set full_name = 'Bruno Kwaku', iptv_username = null where id = $1", [
      id,
    ])
    await app.database.pool.query("update lines set username = 'moved99x' where user_id = $1", [id])
    for (const search of ['ünal-q', 'typed47', 'LK33']) expect(await names({ search }), search).toEqual([])
    for (const search of ['kwaku', 'moved99']) expect(await names({ search }), search).toEqual(['found'])
    await app.database.pool.query('delete from lines where user_id = $1', [id])
    expect(await names({ search: 'moved99' })).toEqual([])
    expect(await names({ search: 'kwaku' })).toEqual(['found'])
    await app.database.pool.query('delete from users where id = $1', [id])
    expect(await names({ search: 'kwaku' })).toEqual([])
  })

  test('keeps both parts of the search text when a name and a line change concurrently', async () => {
    const { id } = await createUser(app.db, { username: 'at_once', fullName: 'Before' })
    await app.database.pool.query(
      "insert into lines (user_id, username, password) values ($1, 'lineBefore', 'v1:none')",
      [id],
    )
    const first = await app.database.pool.connect()
    try {
      await first.query('begin')
      await first.query("update users set full_name = 'Nameafter' where id = $1", [id])
      const second = app.database.pool.query("update lines set username = 'lineafter' where user_id = $1", [id])
      await first.query('commit')
      await second
    } finally {
      first.release(true)
    }
    expect(await names({ search: 'nameafter' })).toEqual(['at_once'])
    expect(await names({ search: 'lineafter' })).toEqual(['at_once'])
    await app.database.pool.query('delete from users where id = $1', [id])
  })

  test('returns the total and links to the neighboring pages', async () => {
    const response = await admin.request('/api/admin/users?pageSize=2&page=2&search=mail')
    expect(response.headers.get('x-total-count')).toBe('5')
    const link = response.headers.get('link')
    for (const rel of ['first', 'prev', 'next', 'last']) expect(link).toContain(`rel="${rel}"`)
    expect(link).toContain('search=mail')
  })
})
