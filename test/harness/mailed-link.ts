import { and, desc, eq } from 'drizzle-orm'
import { mails } from '#server/db/tables.ts'
import { mailLinkContext } from '#server/mail/enqueue-mail.ts'
import { open, secretKey } from '#server/secrets/keys.ts'
import type { TestApp } from './app.ts'

/** Returns the link in the newest email of a template to a recipient: the path, and the token in it. */
export async function mailedLink(
  { db, context }: TestApp,
  template: string,
  recipient: string,
): Promise<{ path: string; token: string }> {
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.template, template), eq(mails.recipient, recipient)))
    .orderBy(desc(mails.id))
    .limit(1)
  if (!mail?.sealed) throw new Error(`No ${template} with a link was mailed to ${recipient}`)
  const { path } = JSON.parse(open(secretKey(context.config), mail.sealed, mailLinkContext(mail.dedupeKey))) as {
    path: string
  }
  return { path, token: new URLSearchParams(new URL(path, 'http://site.invalid').hash.slice(1)).get('token') ?? '' }
}
