import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'

/** The website id is public: it is part of every page with the chat. */
export const chat = z
  .object({
    provider: z.enum(['off', 'crisp', 'chatwoot']),
    websiteId: z.string().check(z.maxLength(64)),
    /** The origin of the widget's script; empty for the default of Crisp. */
    url: z.union([
      z.literal(''),
      z.string().check(z.refine(isOrigin, 'Please enter an address such as https://chat.example.com')),
    ]),
  })
  .check(
    z.refine(
      (value) => value.provider !== 'crisp' || /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value.websiteId),
      {
        path: ['websiteId'],
        message: 'Please enter the website id that Crisp shows, such as 01234567-89ab-cdef-0123-456789abcdef',
      },
    ),
    z.refine((value) => value.provider !== 'chatwoot' || /^[A-Za-z0-9]{10,64}$/.test(value.websiteId), {
      path: ['websiteId'],
      message: 'Please enter the website token that Chatwoot shows: 10 to 64 letters and digits',
    }),
    z.refine((value) => value.provider !== 'chatwoot' || value.url !== '', {
      path: ['url'],
      message: 'Please enter the address of your Chatwoot server',
    }),
  )
export type Chat = z.output<typeof chat>

/** Whether a text is an origin without a path, as the Content-Security-Policy needs it. Plain HTTP is accepted for localhost only. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  return (
    origin === text &&
    (protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')))
  )
}

export const chatIdentity = z.object({
  id: z.string(),
  name: z.string(),
  /** Null until the address is verified, so that a user cannot impersonate someone else. */
  email: z.nullable(z.string()),
  /** The signature that the provider checks: HMAC-SHA256 of the email address (Crisp) or the id (Chatwoot). */
  hash: z.string(),
})
export type ChatIdentity = z.output<typeof chatIdentity>

export const getChatIdentity = get('/api/chat/identity', {
  summary: 'The signed identity of the user for the live chat',
  access: 'member',
  output: z.object({ identity: z.nullable(chatIdentity) }),
})
