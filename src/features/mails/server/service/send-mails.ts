import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { downloadReceipt } from '#features/billing/server/service/download-receipt.ts'
import * as settings from '#features/settings/server/service.ts'
import { mailBodyText } from '#kit/mail-body.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { statement } from '#server/db/statement.ts'
import { mails } from '#server/db/tables.ts'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { mailKeyOf } from '#server/mail/mail-key.ts'
import { MailSendError, type Message, type Smtp } from '#server/mail/smtp.ts'
import { isOutboundHeld } from '#server/outbound/outbound-gate.ts'
import type { KeyOrRing } from '#server/secrets/keys.ts'
import { retryDelayAfter } from '../../rules.ts'
import { type Composed, ComposeError, compose } from './compose.ts'
import { openLink } from './open-link.ts'

export type SendContext = Pick<AppContext, 'db' | 'config' | 'log' | 'renderMail'> & {
  keys: () => KeyOrRing
  /** Loads the current mail server; undefined without one. */
  loadSmtp: () => Promise<Smtp | undefined>
}
type Mail = typeof mails.$inferSelect
type MailContent = Pick<Mail, 'dedupeKey' | 'resends' | 'recipient' | 'template' | 'data' | 'userId' | 'sealed'>

/**
 * Sends due emails, several in parallel, until none is left. Returns how many it processed. Processes share the work: each claims
 * emails with a lease, and when a lease expires, another process can claim the email. Without a mail server, emails are marked `kept`
 * (not sent). While outbound traffic of this installation is held, emails stay queued.
 */
export async function sendMails(context: SendContext, signal?: AbortSignal): Promise<number> {
  if (await isOutboundHeld()) return 0
  for (let processed = 0; ; ) {
    if (signal?.aborted) return processed
    const smtp = await context.loadSmtp()
    if (!smtp) return processed + (await markAllNotSent(context.db))
    const claimed = await claim(context.db)
    if (claimed.length === 0) return processed
    processed += claimed.length
    await Promise.all(claimed.map((mail) => deliver(context, smtp, mail)))
  }
}

async function markAllNotSent(db: Db): Promise<number> {
  const marked = await markNotSent(db, {})
  if (marked.length > 0) await changed(db, 'mail')
  return marked.length
}

const markNotSent = statement('mails_keep', (db) =>
  db.update(mails).set({ status: 'kept' }).where(sql`${mails.status} = 'queued'`).returning({ id: mails.id }),
)

/** Claims due emails that no other process is sending. A claim expires with its lease, even if this process has died. */
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

async function deliver(context: SendContext, smtp: Smtp, mail: Mail): Promise<void> {
  const { db, log } = context
  try {
    await smtp.send(await buildMessage(context, mail))
    await recordOutcome(db, mail, { status: 'sent', sentAt: sql`now()`, sealed: null, lastError: null })
  } catch (error) {
    const { message } = error as Error
    const isFinal = error instanceof ComposeError || (error instanceof MailSendError && error.final)
    const minutes = isFinal ? undefined : retryDelayAfter(mail.attempts)
    log.warn(
      { mail: mail.id, template: mail.template, attempts: mail.attempts, again: minutes ?? 'no', message },
      'email not sent',
    )
    const next =
      minutes === undefined
        ? ({ status: 'failed' } as const)
        : { dueAt: sql`now() + make_interval(mins => ${minutes})` }
    const lastError =
      error instanceof MailSendError || error instanceof ComposeError
        ? message
        : 'The email could not be prepared; see the app log for details.'
    // If the database is unavailable, the email is claimed again when its lease expires.
    await recordOutcome(db, mail, { ...next, lastError }).catch((recordError: Error) =>
      log.error({ mail: mail.id, message: recordError.message }, 'email outcome could not be recorded'),
    )
  }
}

/** Writes the outcome only if this process still holds the claim. */
async function recordOutcome(db: Db, { id, attempts, resends }: Mail, to: object): Promise<void> {
  const [updated] = await db
    .update(mails)
    .set(to)
    .where(and(eq(mails.id, id), eq(mails.status, 'queued'), eq(mails.attempts, attempts), eq(mails.resends, resends)))
    .returning({ id: mails.id })
  if (updated) await changed(db, 'mail')
}

/** Builds the complete message. Throws ComposeError for an email that can never be sent. */
export async function buildMessage(context: Omit<SendContext, 'loadSmtp'>, mail: MailContent): Promise<Message> {
  const { db, config, keys, renderMail } = context
  if (!z.safeParse(z.email(), mail.recipient).success) throw new ComposeError('The recipient is not an email address')
  const { mailBody, invoiceNumber, expectsAnswer } = await compose(db, config, mail, openLink(keys(), mail))
  return {
    messageId: messageId(config, mail),
    brand: mailBody.brand.name,
    to: mail.recipient,
    replyTo: await replyAddress(db, mailBody.brand.email, expectsAnswer),
    subject: mailBody.subject,
    text: mailBodyText(mailBody),
    html: await renderMail(mailBody),
    attachments: await receiptAttachment(db, mail, invoiceNumber),
    unsubscribeUrl: mailBody.unsubscribeUrl,
  }
}

/** The mailbox that is read, for an email whose answer is expected; otherwise the contact address of the brand. */
async function replyAddress(db: Db, contact: string, expectsAnswer: boolean): Promise<string | undefined> {
  const read = expectsAnswer ? await settings.read(db, 'mailbox') : undefined
  const candidates = [read?.enabled ? read.username : '', contact]
  return candidates.find((address) => z.safeParse(z.email(), address).success)
}

async function receiptAttachment(
  db: Db,
  { userId }: Pick<Mail, 'userId'>,
  invoiceNumber: Composed['invoiceNumber'],
): Promise<Message['attachments']> {
  const file = invoiceNumber && userId ? await downloadReceipt(db, userId, invoiceNumber) : undefined
  return file ? [{ filename: file.name, content: Buffer.from(file.bytes), contentType: 'application/pdf' }] : []
}

/** The same for every attempt, so that a mailbox can detect duplicates; a different one for each manual resend. */
export function messageId(
  config: Pick<Config, 'publicUrl'>,
  { dedupeKey, resends }: Pick<Mail, 'dedupeKey' | 'resends'>,
): string {
  const key = mailKeyOf(resends === 0 ? dedupeKey : `${dedupeKey}#${resends}`)
  return `<${key}@${new URL(config.publicUrl).hostname}>`
}
