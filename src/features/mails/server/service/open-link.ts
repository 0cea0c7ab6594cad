import * as z from 'zod/mini'
import type { mails } from '#server/db/tables.ts'
import { mailLinkPlace } from '#server/mail/enqueue-mail.ts'
import { type Key, open } from '#server/secrets/keys.ts'
import { ComposeError, templateNamed } from './compose.ts'

const secret = z.object({ path: z.string().check(z.regex(/^\/(?!\/)/)) })

/** Returns the path of a mail's secret link, or undefined for a mail without one. Throws ComposeError when a required link is gone or cannot be decrypted. */
export function openLink(
  key: Key,
  { dedupeKey, sealed, template }: Pick<typeof mails.$inferSelect, 'dedupeKey' | 'sealed' | 'template'>,
): string | undefined {
  if (sealed === null) {
    if (templateNamed(template).linksTo) throw new ComposeError('Its link is no longer stored')
    return undefined
  }
  try {
    return z.parse(secret, JSON.parse(open(key, sealed, mailLinkPlace(dedupeKey)))).path
  } catch {
    throw new ComposeError('Its link cannot be decrypted with the key of this app')
  }
}
