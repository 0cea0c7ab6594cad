import type { Mutant } from './mutant.ts'

const feature = 'src/features/api-keys/api-keys.test.ts'
const mutant = (control: string, file: string, text: string, instead: string, test = feature): Mutant => ({
  control,
  edits: [{ file, text, instead }],
  tests: [test],
})

/** The controls of requests with an API key. */
export const apiKeyControls: Mutant[] = [
  mutant(
    'an API key has only its scopes',
    'src/server/session/api-keys.ts',
    'permissionsOf(role, staff).filter((permission) => scopes.includes(permission))',
    '[...permissionsOf(role, staff)]',
  ),
  mutant('a revoked API key is refused', 'src/server/session/api-keys.ts', '.revokedAt} is not null`', '.id} = 0`'),
  mutant(
    'the API key of a former staff member is refused',
    'src/server/session/api-keys.ts',
    "found.user.accountRole !== 'admin' && creatorLeft()",
    'false',
  ),
  mutant(
    'an API key is locked until a write ends',
    'src/server/session/session-guard.ts',
    '? await lockKey(tx, user.apiKey.id)',
    '? user.permissions',
  ),
  {
    control: 'cookies beside an API key are not read',
    edits: [
      {
        file: 'src/server/http/request.ts',
        text: "apiKey === undefined ? c.req.header('cookie') : undefined",
        instead: "c.req.header('cookie')",
      },
      {
        file: 'src/server/http/request-user.ts',
        text: 'return userOfKey(app, caller.apiKey, caller)',
        instead: 'return (await userOfToken(app, caller.sessionToken)) ?? userOfKey(app, caller.apiKey, caller)',
      },
    ],
    tests: [feature],
  },
  mutant(
    'endpoints that need a person refuse API keys',
    'src/kit/api-keys.ts',
    '|| endsSessions || sessionOnly',
    '|| endsSessions',
  ),
  mutant('the audit log names the API key', 'src/server/audit.ts', 'api_key_id: key?.id ?? null', 'api_key_id: null'),
]
