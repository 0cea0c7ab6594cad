import * as z from 'zod/mini'
import type { mails } from '#server/db/tables.ts'
import { mailLinkContext } from '#server/mail/enqueue-mail.ts'
import { type KeyOrRing, open } from '#server/secrets/keys.ts'
import { ComposeError, templateNamed } from './compose.ts'

const secret = z.object({ path: z.string().check(z.regex(/^\/(?!\/)/)) })

/**
 * Returns the path of an email's secret link, or undefined for an email without one. Throws ComposeError if a required link was deleted or cannot be
 * decrypted.
 */
export function openLink(
  key: KeyOrRing,
  { dedupeKey, sealed, template }: Pick<typeof mails.$inferSelect, 'dedupeKey' | 'sealed' | 'template'>,
): string | undefined {
  if (sealed === null) {
    if (templateNamed(template).linksTo) throw new ComposeError('Its link is no longer stored')
    return undefined
  }
  try {
    return z.parse(secret, JSON.parse(open(key, sealed, mailLinkContext(dedupeKey)))).path
  } catch {
    throw new ComposeError('Its link cannot be decrypted with the key of this app')
  }
}
