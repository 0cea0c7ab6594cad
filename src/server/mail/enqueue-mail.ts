import type { MailData, MailName } from '#features/mails/server/templates.ts'
import type { Tx } from '../db/connect.ts'
import { deferredWritesOf, writeDeferred } from '../db/deferred-writes.ts'
import { notifyMail } from '../live/notify.ts'
import { type KeyOrRing, seal } from '../secrets/keys.ts'
import { sealedColumns } from '../secrets/sealed-columns.ts'

/**
 * An email to be sent. `data` fills the template and must not contain secrets. A link with a token is encrypted with `sealLink` before the
 * transaction and passed as `sealed`.
 */
export type OutgoingMail<N extends MailName = MailName> = {
  [Each in N]: {
    dedupeKey: string
    userId: number | null
    recipient: string
    template: Each
    data: MailData[Each]
    sealed?: string
  }
}[N]

/** Queues an email at the end of the transaction; it is sent after the commit. A second email with the same `dedupeKey` is ignored. */
export async function enqueueMail(
  tx: Tx,
  { dedupeKey, userId, recipient, template, data, sealed }: OutgoingMail,
): Promise<void> {
  if (/[\r\n]/.test(recipient)) throw new Error('A recipient must be one address on one line')
  const mail = { dedupe_key: dedupeKey, user_id: userId, recipient, template, data, sealed }
  const deferred = deferredWritesOf(tx)
  if (deferred) deferred.mails.push(mail)
  else await writeDeferred(tx, { mails: [mail] })
  await notifyMail(tx)
}

/** Returns the encryption context of an email's link: a link sealed for one email cannot be decrypted for another. */
export const mailLinkContext = sealedColumns.mailLink.context

/** Encrypts the link of one email: a path of this site with a token, such as `/reset-password#token=…`. */
export const sealLink = (key: KeyOrRing, dedupeKey: string, path: `/${string}`): string =>
  seal(key, JSON.stringify({ path }), mailLinkContext(dedupeKey))
