import * as z from 'zod/mini'
import { secondFactorCode, user } from '#features/accounts/contract.ts'
import { missingPasswordMessage } from '#features/accounts/rules.ts'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { id, idParam, instant, singleLine } from '#kit/text.ts'
import { passkeyNameMessage, unreadablePasskeyMessage } from './rules.ts'

export const passkey = z.object({ id, name: z.string(), createdAt: instant, lastUsedAt: z.nullable(instant) })
export const passkeyName = z.object({ name: singleLine(1, 60, passkeyNameMessage) })
const currentPassword = z
  .string(missingPasswordMessage)
  .check(z.minLength(1, missingPasswordMessage), z.maxLength(128, missingPasswordMessage))
/** The schema of the dialog's form. */
export const newPasskey = z.extend(passkeyName, { currentPassword })

const base64url = (maxLength: number) =>
  z
    .string(unreadablePasskeyMessage)
    .check(z.maxLength(maxLength, unreadablePasskeyMessage), z.regex(/^[\w-]+={0,2}$/, unreadablePasskeyMessage))
const transports = z.array(z.string().check(z.maxLength(20))).check(z.maxLength(8))
const messageOutput = z.object({ message: z.string() })
const publicKey = z.literal('public-key')
// The parts of the WebAuthn Level 3 types that this app uses.
const creation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: publicKey })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(z.object({ id: z.string(), type: publicKey, transports })),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.boolean(),
    userVerification: z.literal('required'),
  }),
})
export const attestation = z.object({
  id: base64url(1_400),
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(40_000),
    transports: z.optional(transports),
  }),
})
export const assertion = z.object({
  id: base64url(1_400),
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(4_000),
    userHandle: z.optional(base64url(200)),
  }),
})

export const listPasskeys = get('/api/account/passkeys', {
  summary: "The user's passkeys",
  access: 'member',
  dependsOn: ['passkey'],
  output: z.array(passkey),
})
export type Passkey = Output<typeof listPasskeys>[number]
export const createPasskeyOptions = post('/api/account/passkeys/options', {
  summary: 'Get the options for creating a passkey; the challenge works once, for five minutes',
  access: 'member',
  limit: 'account',
  body: z.object({ currentPassword }),
  output: creation,
})
export const createPasskey = post('/api/account/passkeys', {
  summary: 'Add a passkey',
  access: 'member',
  limit: 'account',
  body: z.extend(passkeyName, { passkey: attestation }),
  output: passkey,
})
const params = z.object({ passkeyId: idParam })
export const passkeyRemoval = z.object({ currentPassword, code: secondFactorCode })
export const updatePasskey = put('/api/account/passkeys/:passkeyId', {
  summary: 'Rename a passkey',
  access: 'member',
  limit: 'write',
  params,
  body: passkeyName,
  output: passkey,
})
export const removePasskey = post('/api/account/passkeys/:passkeyId/remove', {
  summary: 'Remove a passkey; also requires a code where two-step verification is on',
  access: 'member',
  limit: 'account',
  params,
  body: passkeyRemoval,
  output: messageOutput,
})
export const createPasskeyChallenge = post('/api/passkeys/challenge', {
  summary: 'Get the options for a passkey login; the challenge works once, for five minutes',
  access: 'public',
  limit: 'passkey',
  output: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
  }),
})
export const confirmPasskey = post('/api/passkeys/login', {
  summary: 'Log in with a passkey',
  access: 'public',
  limit: 'passkey',
  body: z.object({ passkey: assertion }),
  output: user,
})
