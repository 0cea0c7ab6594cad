import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { downloadReceipt } from '#features/billing/server/service/download-receipt.ts'
import { letterText } from '#kit/letter.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { statement } from '#server/db/statement.ts'
import { mails } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import { MailRejected, type Message, type Smtp } from '#server/mail/smtp.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import type { Key } from '#server/secrets/keys.ts'
import { getMail, listMails } from '../../contract.ts'
import { pauseAfter } from '../../rules.ts'
import { type Composed, compose, NotWritten } from './compose.ts'
import { openLink } from './open-link.ts'

export type Post = Pick<AppContext, 'db' | 'config' | 'log' | 'renderLetter'> & {
  keys: () => Key
  smtp: Smtp | undefined
}
type Mail = typeof mails.$inferSelect

const ofLog = [listMails.id, getMail.id]

/**
 * Sends what is due until nothing is, several at once; returns how many mails it took. Processes share the work: each mail is
 * claimed for a while, and claimed again when its process died. Without a server, mails are kept; while this installation is held they wait.
 */
export async function sendMails(post: Post, signal?: AbortSignal): Promise<number> {
  if (await isOutboundHeld()) return 0
  if (!post.smtp) return keepMails(post.db)
  for (let taken = 0; ; ) {
    if (signal?.aborted) return taken
    const claimed = await claim(post.db)
    if (claimed.length === 0) return taken
    taken += claimed.length
    await Promise.all(claimed.map((mail) => deliver(post, post.smtp!, mail)))
  }
}

async function keepMails(db: Db): Promise<number> {
  const kept = await keep(db, {})
  if (kept.length > 0) await notifyAdmins(db, ofLog)
  return kept.length
}

const keep = statement('mails_keep', (db) =>
  db.update(mails).set({ status: 'kept' }).where(sql`${mails.status} = 'queued'`).returning({ id: mails.id }),
)

/** Due mails nobody else is sending. They are nobody's again when the lease is over, whatever became of this process. */
async function claim(db: Db): Promise<Mail[]> {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.status, 'queued'), sql`${mails.dueAt} <= now()`))
    .orderBy(mails.dueAt, mails.id)
    .limit(limits.mail.atOnce)
    .for('update', { skipLocked: true })
  return db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${limits.mail.leaseSeconds})`,
    })
    .where(sql`${mails.id} in ${due}`)
    .returning()
}

async function deliver(post: Post, smtp: Smtp, mail: Mail): Promise<void> {
  const { db, log } = post
  try {
    await smtp.send(await write(post, mail))
    await settle(db, mail, { status: 'sent', sentAt: sql`now()`, sealed: null, lastError: null })
  } catch (error) {
    const { message } = error as Error
    const isFinal = error instanceof NotWritten || (error instanceof MailRejected && error.final)
    const minutes = isFinal ? undefined : pauseAfter(mail.attempts)
    log.warn(
      { mail: mail.id, template: mail.template, attempts: mail.attempts, again: minutes ?? 'no', message },
      'a mail was not sent',
    )
    const next =
      minutes === undefined
        ? ({ status: 'failed' } as const)
        : { dueAt: sql`now() + make_interval(mins => ${minutes})` }
    const lastError =
      error instanceof MailRejected || error instanceof NotWritten
        ? message
        : 'It could not be prepared; the log of the app says more.'
    // A database that is away leaves the mail to the end of its lease.
    await settle(db, mail, { ...next, lastError }).catch((trouble: Error) =>
      log.error({ mail: mail.id, message: trouble.message }, 'a mail could not be noted'),
    )
  }
}

/** Only whoever holds the claim says how it ended. */
async function settle(db: Db, { id, attempts, resends }: Mail, to: object): Promise<void> {
  const [settled] = await db
    .update(mails)
    .set(to)
    .where(and(eq(mails.id, id), eq(mails.status, 'queued'), eq(mails.attempts, attempts), eq(mails.resends, resends)))
    .returning({ id: mails.id })
  if (settled) await notifyAdmins(db, ofLog)
}

/** The whole message. Throws NotWritten for a mail that can never be sent. */
async function write(post: Post, mail: Mail): Promise<Message> {
  const { db, config, keys, renderLetter } = post
  if (!z.safeParse(z.email(), mail.recipient).success) throw new NotWritten('The recipient is not an e-mail address')
  const { letter, invoiceNumber } = await compose(db, config, mail, openLink(keys(), mail))
  return {
    messageId: messageId(config, mail),
    brand: letter.brand.name,
    to: mail.recipient,
    replyTo: z.safeParse(z.email(), letter.brand.email).success ? letter.brand.email : undefined,
    subject: letter.subject,
    text: letterText(letter),
    html: await renderLetter(letter),
    attachments: await receipt(db, mail, invoiceNumber),
  }
}

async function receipt(
  db: Db,
  { userId }: Mail,
  invoiceNumber: Composed['invoiceNumber'],
): Promise<Message['attachments']> {
  const file = invoiceNumber && userId ? await downloadReceipt(db, userId, invoiceNumber) : undefined
  return file ? [{ filename: file.name, content: Buffer.from(file.bytes), contentType: 'application/pdf' }] : []
}

/** The same for every try, so that a mailbox that got it twice can tell; another for what an administrator sends again on purpose. */
export function messageId(
  config: Pick<Config, 'publicUrl'>,
  { dedupeKey, resends }: Pick<Mail, 'dedupeKey' | 'resends'>,
): string {
  const hash = createHash('sha256').update(resends === 0 ? dedupeKey : `${dedupeKey}#${resends}`)
  return `<${hash.digest('hex').slice(0, 40)}@${new URL(config.publicUrl).hostname}>`
}
