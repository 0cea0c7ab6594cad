import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { singleLine } from '#kit/text.ts'

const passwordMessage = 'IPTV password is required'

/** The username and password of an IPTV account on the panel. The password is not trimmed: spaces may belong to it. */
export const iptvCredentials = z.object({
  iptvUsername: singleLine(1, 120, 'IPTV username is required'),
  iptvPassword: z.string(passwordMessage).check(
    z.minLength(1, passwordMessage),
    z.maxLength(128, 'Please use at most 128 characters'),
    z.refine((value) => !/\p{Cc}|\p{Cs}/u.test(value), 'Please remove the control characters'),
  ),
})
export type IptvCredentials = z.output<typeof iptvCredentials>

export const validateAccount = post('/api/iptv/validate', {
  summary: 'Ask the IPTV service whether credentials are valid; nothing is stored',
  access: 'member',
  limit: 'iptv',
  body: iptvCredentials,
  output: z.object({ valid: z.boolean(), message: z.string() }),
})
export const syncAccount = post('/api/iptv/sync', {
  summary: 'Check IPTV credentials and, when they are valid, store them with the account',
  access: 'member',
  limit: 'iptv',
  body: iptvCredentials,
  output: z.object({ synced: z.boolean(), message: z.string() }),
})
