import * as z from 'zod/mini'
import { user } from '#features/accounts/contract.ts'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import { get, type Output, post } from '#kit/endpoint.ts'
import { instant } from '#kit/text.ts'
import { codeMessage, isAppCode, isRecoveryCode, normalizeCode } from './rules.ts'

const code = z.string(codeMessage).check(
  z.maxLength(64, codeMessage),
  z.overwrite<string>((value) => normalizeCode(value)),
  z.refine((plain) => isAppCode(plain) || isRecoveryCode(plain), codeMessage),
)
const currentPassword = z
  .string(missingPasswordMessage)
  .check(z.minLength(1, missingPasswordMessage), z.maxLength(128, missingPasswordMessage))
export const passwordOnly = z.object({ currentPassword })
export const codeOnly = z.object({ code })
export const passwordAndCode = z.object({ currentPassword, code })
const codes = z.object({ recoveryCodes: z.array(z.string()) })

export const getTwoFactor = get('/api/account/two-factor', {
  summary: 'Whether two-step verification is on',
  access: 'member',
  dependsOn: ['two_factor'],
  output: z.object({
    enabled: z.boolean(),
    since: z.nullable(instant),
    recoveryCodesLeft: z.int(),
    /** Whether the user is an administrator and the operator requires two-step verification of administrators. */
    required: z.boolean(),
  }),
})
export type TwoFactor = Output<typeof getTwoFactor>
export const createTwoFactor = post('/api/account/two-factor/setup', {
  summary: 'Generate a secret for an authenticator app; it takes effect when a code confirms it',
  access: 'member',
  limit: 'account',
  body: passwordOnly,
  output: z.object({ secret: z.string(), address: z.string() }),
})
export const confirmTwoFactor = post('/api/account/two-factor/enable', {
  summary: 'Turn two-step verification on; returns the recovery codes, which are shown only once',
  access: 'member',
  limit: 'account',
  body: codeOnly,
  output: codes,
})
export const cancelTwoFactor = post('/api/account/two-factor/disable', {
  summary: 'Turn two-step verification off',
  access: 'member',
  limit: 'account',
  body: passwordAndCode,
  output: z.object({ message: z.string() }),
})
export const createRecoveryCodes = post('/api/account/two-factor/recovery-codes', {
  summary: 'Replace the recovery codes; the old ones stop working',
  access: 'member',
  limit: 'account',
  body: passwordAndCode,
  output: codes,
})
export const confirmLogin = post('/api/login/second-step', {
  summary: 'Complete a login with a code',
  access: 'public',
  limit: 'login',
  body: z.object({ token: z.string().check(z.maxLength(200)), code }),
  output: z.object({ user, recoveryCodesLeft: z.int() }),
})
