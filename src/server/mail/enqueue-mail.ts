import type { MailData, MailName } from '#features/mails/server/templates.ts'
import type { Tx } from '../db/connect.ts'
import { deferredWritesOf, deferWrites } from '../db/deferred-writes.ts'
import { notifyMail } from '../live/notify.ts'
import { type Key, seal } from '../secrets/keys.ts'
import { sealedColumns } from '../secrets/sealed-columns.ts'

/**
 * A mail to be sent: `template` names its words, `data` fills them; never a secret in it. A link that carries a token is made
 * by `sealLink` before the transaction and handed over as `sealed`.
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

/** Puts a mail into the outbox, at the end of the transaction that causes it. The same `dedupeKey` is written once. It leaves after the commit. */
export async function enqueueMail(
  tx: Tx,
  { dedupeKey, userId, recipient, template, data, sealed }: OutgoingMail,
): Promise<void> {
  if (/[\r\n]/.test(recipient)) throw new Error('A recipient is one address on one line')
  const mail = { dedupe_key: dedupeKey, user_id: userId, recipient, template, data, sealed }
  const ending = deferredWritesOf(tx)
  if (ending) ending.mails.push(mail)
  else await deferWrites(tx, { mails: [mail] })
  await notifyMail(tx)
}

/** Where a mail's secret is kept: sealed for one mail, it opens in no other. */
export const sealedPlace = sealedColumns.mailLink.place

/** The link of one mail (a path of this site with its token, such as `/reset-password#token=…`), readable only while that mail is written. */
export const sealLink = (key: Key, dedupeKey: string, path: `/${string}`): string =>
  seal(key, JSON.stringify({ path }), sealedPlace(dedupeKey))
