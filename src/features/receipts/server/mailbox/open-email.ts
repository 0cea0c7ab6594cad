import { eq } from 'drizzle-orm'
import { maskNumbers, withVisibleMarks } from '#kit/untrusted-text.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentMails } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { type KeyOrRing, secretKey } from '#server/secrets/keys.ts'
import type { Actor } from '#server/session/actor.ts'
import type { OpenedEmail } from '../../admin-mailbox-contract.ts'
import type { DnsResolver } from '../read/mail/authenticity.ts'
import { readDocument, UnreadableMail } from '../read/mail/document.ts'
import { verifySignatures } from '../read/mail/verify-signatures.ts'
import { systemResolver } from './config.ts'
import { openMail } from './store-mail.ts'

type Context = {
  db: Db
  config: Parameters<typeof secretKey>[0]
  key?: () => KeyOrRing
  resolver?: DnsResolver
}

/**
 * Opens the stored content of a payment email for an administrator, and writes an audit entry. HTML is never returned, except in the raw email for download.
 * Throws 404, and 409 if the content is not stored.
 */
export async function openEmail(
  { db, config, key = () => secretKey(config), resolver = systemResolver }: Context,
  mailId: number,
  { admin, requestId }: { admin: Pick<Actor['admin'], 'id'>; requestId: string },
): Promise<OpenedEmail> {
  const [mail] = await db.select().from(paymentMails).where(eq(paymentMails.id, mailId))
  if (!mail) return notFound('Email not found')
  if (mail.sealed === null)
    return conflict('not_stored', 'The content of this email is not stored. Open it in your mailbox.')
  const raw = openMail(key(), mail.sealed, mail.sourceKey)
  const [document, signature] = await Promise.all([textOf(raw), signatureOf(raw, mail.signedBy, resolver)])
  await inTransaction(db, (tx) =>
    audit(tx, {
      actorId: admin.id,
      action: 'mailbox.open_email',
      targetType: 'payment_mail',
      targetId: mailId,
      requestId,
    }),
  )
  return {
    ...document,
    subject: mail.subject,
    from: mail.sender,
    signature,
    template: mail.template,
    templateVersion: mail.templateVersion,
    raw: raw.toString('base64'),
  }
}

/** Returns the parts of an email that are shown. They are empty if the email cannot be parsed within the limits. */
async function textOf(raw: Buffer): Promise<Pick<OpenedEmail, 'to' | 'date' | 'lines'>> {
  try {
    const { toAddresses, date, lines } = await readDocument(raw)
    const shown = lines.map((line) => withVisibleMarks(maskNumbers(line)))
    return { to: toAddresses, date: date?.toISOString() ?? null, lines: shown }
  } catch (error) {
    if (error instanceof UnreadableMail) return { to: [], date: null, lines: [] }
    throw error
  }
}

type Signature = {
  signingDomain?: string
  selector?: string
  algo?: string
  modulusLength?: number
  signingHeaders?: { keys: string }
}

/**
 * Returns the signature of `domain`, otherwise the first signature. It is not verified here: that was done when the email arrived, and the key may have been
 * replaced afterwards.
 */
async function signatureOf(
  raw: Buffer,
  domain: string | null,
  resolver: DnsResolver,
): Promise<OpenedEmail['signature']> {
  const signatures = (await verifySignatures(raw, { resolver })).results as Signature[]
  const own = signatures.find(({ signingDomain }) => signingDomain?.toLowerCase() === domain) ?? signatures[0]
  if (!own?.signingDomain) return null
  return {
    domain: own.signingDomain.toLowerCase(),
    selector: own.selector ?? '',
    algorithm: own.algo ?? '',
    headers: (own.signingHeaders?.keys ?? '').split(':').map((name) => name.trim().toLowerCase()),
    keyBits: own.modulusLength ?? null,
  }
}
