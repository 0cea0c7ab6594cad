import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, mailedTokens, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { mailedLink } from '../../../test/harness/mailed-link.ts'
import { createCustomer } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp({ config: { secretKey: randomBytes(32).toString('base64') } })
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const refusal = async (body: object) => {
  const response = await admin.client.post('/api/admin/users', body)
  const { code, issues } = (await response.json()) as { code: string; issues?: { path: string; message: string }[] }
  return { status: response.status, code, issues }
}
const count = () => app.db.$count(users)

describe('a new customer is refused', () => {
  test('if a field is missing or malformed, with the messages of the registration form', async () => {
    const before = await count()
    expect(await refusal({ username: 'ab', email: 'nowhere', fullName: 'A' })).toMatchObject({
      status: 400,
      issues: [
        { path: 'username', message: expect.any(String) },
        { path: 'email', message: 'Please enter a valid email address' },
        { path: 'fullName', message: 'Full name must be at least 2 characters' },
      ],
    })
    expect(await refusal({ username: 'support', email: 'someone@example.org' })).toMatchObject({
      status: 400,
      code: 'reserved_name',
    })
    expect(await count()).toBe(before)
  })

  test('if the username or email address is taken in any spelling, with the error on that field', async () => {
    const { user } = await app.signIn()
    const before = await count()
    expect(await refusal({ username: user.username.toUpperCase(), email: 'fresh@example.org' })).toMatchObject({
      status: 409,
      code: 'account_exists',
      issues: [{ path: 'username', message: 'Another account has this username' }],
    })
    expect(await refusal({ username: 'fresh-name', email: user.email.toUpperCase() })).toMatchObject({
      status: 409,
      issues: [{ path: 'email', message: 'Another account has this email address' }],
    })
    expect(await count()).toBe(before)
  })
})

test('a new customer can use the emailed link once to choose a password, and then logs in', async () => {
  const made = await admin.client.call(createCustomer, {
    body: { username: 'moved.in', email: 'moved@example.org', fullName: 'Mo Vedin' },
  })
  expect(made).toMatchObject({ username: 'moved.in', role: 'user', subscriptionStatus: 'none', fullName: 'Mo Vedin' })
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.action, 'user.create'))
  expect(entry).toMatchObject({ actorId: admin.user.id, targetId: String(made.id), after: { username: 'moved.in' } })

  const { path, token } = await mailedLink(app, 'account_created', 'moved@example.org')
  expect(path).toMatch(/^\/reset-password#token=/)
  const [stored] = await app.db.select().from(mailedTokens).where(eq(mailedTokens.userId, made.id))
  const days = (Date.parse(stored!.expiresAt) - Date.parse(stored!.createdAt)) / 86_400_000
  expect(days).toBeCloseTo(7, 3)
  const choose = async () =>
    (await app.client().post('/api/reset-password', { token, newPassword: 'a place of my own' })).status
  expect([await choose(), await choose()]).toEqual([200, 400])
  const login = await app.client().post('/api/login', { username: 'moved.in', password: 'a place of my own' })
  expect(login.status).toBe(200)
})
