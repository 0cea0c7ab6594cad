import { type ApiKeyScope, apiKeyScopes, scopesFor } from '#kit/api-keys.ts'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { newApiKey } from '#server/session/api-key-format.ts'
import { cookieOf } from './access-principals.ts'
import { adminOnly, type Row, send } from './access-row.ts'
import { insertApiKey } from './api-keys.ts'
import type { TestApp } from './app.ts'
import { password } from './factories.ts'

/** A program with an API key, and sometimes with the cookie of an administrator, which must have no effect. */
export type KeyPrincipal = {
  name: string
  cookie: string
  apiKey: string
  /** The scopes of the key, or the status with which it is refused everywhere. */
  may: readonly ApiKeyScope[] | 401 | 403
  /** The key is tested only while administrators are required to have a second factor. */
  whileRequired?: true
}

/** Creates keys with all scopes, with several and with one, and keys that are refused. `lastUsedAt` is in the future, so that no request updates it. */
export async function createKeys(app: TestApp): Promise<KeyPrincipal[]> {
  const used = { lastUsedAt: '2100-01-01T00:00:00Z' }
  const [owner, demoted, deleted, cashier] = [
    await app.signInAdmin(),
    await app.signInAdmin(),
    await app.signInAdmin(),
    await app.signInAdmin({ staffRoleId: await roleNamed(app, 'cashier') }),
  ]
  const keyOf = async (who: { user: { id: number } }, scopes: readonly ApiKeyScope[], more = {}) =>
    (await insertApiKey(app, who.user.id, scopes, { ...used, ...more })).key
  const keys = {
    all: await keyOf(owner, apiKeyScopes),
    reader: await keyOf(
      owner,
      apiKeyScopes.filter((scope) => scope.endsWith('.read')),
    ),
    credit: await keyOf(owner, ['credit.edit']),
    cashier: await keyOf(cashier, ['reports.read', 'payments.read']),
    revoked: await keyOf(owner, apiKeyScopes, { revoked: true }),
    ended: await keyOf(owner, apiKeyScopes, { endsAt: new Date(Date.now() - 1_000).toISOString() }),
    demoted: await keyOf(demoted, apiKeyScopes),
    deleted: await keyOf(deleted, apiKeyScopes),
  }
  await app.database.pool.query("UPDATE users SET role = 'user' WHERE id = $1", [demoted.user.id])
  await app.database.pool.query('DELETE FROM users WHERE id = $1', [deleted.user.id])
  const cookie = cookieOf(owner)
  return [
    { name: 'a key with all scopes', cookie, apiKey: keys.all, may: apiKeyScopes },
    {
      name: 'a key with all read scopes',
      cookie: '',
      apiKey: keys.reader,
      may: apiKeyScopes.filter((scope) => scope.endsWith('.read')),
    },
    { name: 'a key for account credit', cookie, apiKey: keys.credit, may: ['credit.edit'] },
    { name: 'a key that a cashier created', cookie, apiKey: keys.cashier, may: ['payments.read'] },
    { name: 'an unknown key', cookie, apiKey: newApiKey(), may: 401 },
    { name: 'a broken key', cookie, apiKey: 'sauce_', may: 401 },
    { name: 'a revoked key', cookie, apiKey: keys.revoked, may: 401 },
    { name: 'an expired key', cookie, apiKey: keys.ended, may: 401 },
    { name: 'the key of a demoted administrator', cookie, apiKey: keys.demoted, may: 401 },
    { name: 'the key of a deleted administrator', cookie, apiKey: keys.deleted, may: 401 },
    { name: 'a key without a second factor', cookie, apiKey: keys.all, may: 403, whileRequired: true },
  ]
}

async function roleNamed(app: TestApp, key: string): Promise<number> {
  const { rows } = await app.database.pool.query<{ id: number }>('SELECT id FROM staff_roles WHERE key = $1', [key])
  return rows[0]!.id
}

/** Returns the status that an endpoint must return to a program, or `allowed` if it must respond as to staff. */
export function expectedOfKey({ may }: KeyPrincipal, endpoint: AnyEndpoint, row: Row): number | 'allowed' {
  // The key is ignored.
  if (endpoint.access === 'public' && endpoint.method === 'GET') return row.anonymous
  if (typeof may === 'number') return may
  return scopesFor(endpoint).some((scope) => may.includes(scope)) ? 'allowed' : 403
}

const proof = { currentPassword: password }
/** The endpoints of API keys: for owners only. */
export const apiKeyRows: Record<string, Row> = {
  'GET /api/admin/api-keys': adminOnly(),
  'POST /api/admin/api-keys': adminOnly(send({ name: 'A script', scopes: ['reports.read'], endsOn: '', ...proof })),
  'POST /api/admin/api-keys/:apiKeyId/revoke': adminOnly({
    prepare: async ({ app, admin, pathParams }) => {
      pathParams.apiKeyId = (await insertApiKey(app, admin.user.id, ['reports.read'])).id
    },
    body: () => proof,
  }),
}
