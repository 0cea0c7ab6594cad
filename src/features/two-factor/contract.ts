import * as z from 'zod/mini'
import { user } from '#features/accounts/contract.ts'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import { get, type Output, post } from '#kit/endpoint.ts'
import { idText, instant } from '#kit/text.ts'
import { codeMessage, isAppCode, isRecoveryCode, plainCode } from './rules.ts'

const code = z.string(codeMessage).check(
  z.maxLength(64, codeMessage),
  z.overwrite<string>((value) => plainCode(value)),
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
  summary: 'Whether logging in takes a second step',
  access: 'member',
  output: z.object({
    enabled: z.boolean(),
    since: z.nullable(instant),
    recoveryCodesLeft: z.int(),
    /** The operator asks administrators for it, and this is one. */
    required: z.boolean(),
  }),
})
export type TwoFactor = Output<typeof getTwoFactor>
export const createTwoFactor = post('/api/account/two-factor/setup', {
  summary: 'Draw a secret for an app; it counts once a code of it was given',
  access: 'member',
  limit: 'account',
  body: passwordOnly,
  output: z.object({ secret: z.string(), address: z.string() }),
})
export const confirmTwoFactor = post('/api/account/two-factor/enable', {
  summary: 'Switch the second step on; the recovery codes are shown this once',
  access: 'member',
  limit: 'account',
  body: codeOnly,
  output: codes,
})
export const cancelTwoFactor = post('/api/account/two-factor/disable', {
  summary: 'Switch the second step off',
  access: 'member',
  limit: 'account',
  body: passwordAndCode,
  output: z.object({ message: z.string() }),
})
export const createRecoveryCodes = post('/api/account/two-factor/recovery-codes', {
  summary: 'Draw new recovery codes; the old ones are worth nothing any more',
  access: 'member',
  limit: 'account',
  body: passwordAndCode,
  output: codes,
})
export const confirmLogin = post('/api/login/second-step', {
  summary: 'Finish a login with a code',
  access: 'public',
  limit: 'login',
  body: z.object({ token: z.string().check(z.maxLength(200)), code }),
  output: z.object({ user, recoveryCodesLeft: z.int() }),
})
export const resetTwoFactor = post('/api/admin/users/:userId/reset-two-factor', {
  summary: 'Switch off the second step of somebody who lost their device; their sessions end',
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ userId: idText }),
  output: z.object({ message: z.string() }),
})
