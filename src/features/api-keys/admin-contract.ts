// API keys, with which other programs call admin endpoints. Only owners manage them.
import * as z from 'zod/mini'
import { secondFactorCode } from '#features/accounts/contract.ts'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import { apiKeyScopes } from '#kit/api-keys.ts'
import { get, type Output, post } from '#kit/endpoint.ts'
import { id, idParam, instant, singleLine } from '#kit/text.ts'
import { endsOnMessage, scopesMessage } from './rules.ts'

const write = { access: 'admin', needs: 'staff.manage', limit: 'adminWrite' } as const
const scope = z.enum(apiKeyScopes)
const person = z.object({ id, username: z.string() })

const apiKey = z.object({
  id,
  name: z.string(),
  /** The first characters of the key, by which it is recognized. */
  prefix: z.string(),
  scopes: z.array(scope),
  createdBy: person,
  createdAt: instant,
  endsAt: z.nullable(instant),
  lastUsed: z.nullable(z.object({ at: instant, ip: z.string() })),
  /** `active` if the key is accepted; otherwise why not: its last day is over (`ended`), it was revoked, or its creator is no longer a staff member. */
  state: z.enum(['active', 'ended', 'revoked', 'creator_left']),
  revoked: z.nullable(z.object({ at: instant, by: z.nullable(z.string()) })),
})
export type ApiKey = z.output<typeof apiKey>

export const listApiKeys = get('/api/admin/api-keys', {
  summary: 'The API keys: those in use, newest first, then the others',
  access: 'admin',
  needs: 'staff.manage',
  dependsOn: ['api_key', 'user'],
  output: z.array(apiKey),
})

const proof = {
  currentPassword: z
    .string(missingPasswordMessage)
    .check(z.minLength(1, missingPasswordMessage), z.maxLength(128, missingPasswordMessage)),
  code: secondFactorCode,
}
export const newApiKey = z.object({
  name: singleLine(2, 60, 'Please enter a name of at least 2 characters'),
  scopes: z
    .array(scope, scopesMessage)
    .check(z.minLength(1, scopesMessage), z.maxLength(apiKeyScopes.length, scopesMessage)),
  /** The last day on which the key is valid, in UTC; empty for a key that does not expire. */
  endsOn: z.union([z.literal(''), z.iso.date(endsOnMessage)], endsOnMessage),
  ...proof,
})
export type NewApiKey = z.output<typeof newApiKey>
export const createApiKey = post('/api/admin/api-keys', {
  summary:
    'Create an API key, with the password; the response is the only one that contains the key. All owners are emailed',
  ...write,
  body: newApiKey,
  output: z.object({ apiKey, key: z.string() }),
})
export type CreatedApiKey = Output<typeof createApiKey>

export const apiKeyRevocation = z.object(proof)
export const revokeApiKey = post('/api/admin/api-keys/:apiKeyId/revoke', {
  summary: 'Revoke an API key, with the password; the key is refused from then on. All owners are emailed',
  ...write,
  params: z.object({ apiKeyId: idParam }),
  body: apiKeyRevocation,
  output: apiKey,
})
