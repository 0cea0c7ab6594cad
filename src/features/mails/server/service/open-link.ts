import * as z from 'zod/mini'
import type { mails } from '#server/db/tables.ts'
import { mailLinkPlace } from '#server/mail/enqueue-mail.ts'
import { type Key, open } from '#server/secrets/keys.ts'
import { NotWritten, templateNamed } from './compose.ts'

const secret = z.object({ path: z.string().check(z.regex(/^\/(?!\/)/)) })

/** Where the secret link of a mail leads, undefined for a mail without one. Throws NotWritten when it needs one that is gone or cannot be opened. */
export function openLink(
  key: Key,
  { dedupeKey, sealed, template }: Pick<typeof mails.$inferSelect, 'dedupeKey' | 'sealed' | 'template'>,
): string | undefined {
  if (sealed === null) {
    if (templateNamed(template).linksTo) throw new NotWritten('Its link is no longer kept')
    return undefined
  }
  try {
    return z.parse(secret, JSON.parse(open(key, sealed, mailLinkPlace(dedupeKey)))).path
  } catch {
    throw new NotWritten('Its link cannot be opened with the key of this app')
  }
}
