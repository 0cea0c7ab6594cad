import type { Tx } from './db/connect.ts'
import { mails } from './db/tables.ts'

/** A mail to be sent: `template` names its words, `data` fills them; never a secret in it. */
export type OutgoingMail = { dedupeKey: string; userId: number | null; recipient: string; template: string; data: Record<string, unknown> }

/** Puts a mail into the outbox, in the transaction that causes it. The same `dedupeKey` is written once. */
export async function enqueueMail(tx: Tx, mail: OutgoingMail): Promise<void> {
  if (/[\r\n]/.test(mail.recipient)) throw new Error('A recipient is one address on one line')
  await tx.insert(mails).values(mail).onConflictDoNothing({ target: mails.dedupeKey })
}
