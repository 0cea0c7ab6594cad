import type { FetchMessageObject } from 'imapflow'
import { findAnswered, receiveAnswer } from '#features/tickets/server/service/receive-answer.ts'
import { isUnavailable } from '#server/db/connect.ts'
import { sqlStateOf } from '#server/db/retry.ts'
import { limits } from '#server/limits.ts'
import { UnreadableMail } from '../read/mail/document.ts'
import type { ReaderContext } from './config.ts'
import { LeaseLost, moveTo } from './lease.ts'
import { type ReadAnswer, readAnswer } from './read-answer.ts'

/** A database failure that is not caused by the email: the database is unavailable, or a lock or statement timed out. */
export const isPassing = (error: unknown): boolean => isUnavailable(error) || /^(55|57)/.test(sqlStateOf(error) ?? '')

/**
 * Adds an email to its ticket if it answers one, in one transaction with the position. Ignores other emails and automatic replies.
 * `fetchWhole` returns the email, or undefined if it was deleted since. Throws `MailboxFailure`, `LeaseLost`, or the error of an unavailable database.
 */
export async function takeAnswer(
  { db, log }: Pick<ReaderContext, 'db' | 'log'>,
  holder: string,
  { uid, envelope, size = 0 }: FetchMessageObject,
  fetchWhole: () => Promise<Buffer | undefined>,
): Promise<void> {
  const ticketId = await findAnswered(db, {
    subject: envelope?.subject ?? '',
    inReplyTo: envelope?.inReplyTo ?? '',
  })
  if (ticketId === undefined) return
  const from = envelope?.from?.[0]?.address ?? ''
  const read =
    size > limits.mailbox.bytes
      ? unread(from, envelope?.messageId, 'it is too large')
      : await readOr(from, envelope?.messageId, fetchWhole)
  if (!read || read.isAutomatic) return
  try {
    await receiveAnswer(db, ticketId, read, (tx) =>
      moveTo(tx, holder, { lastUid: uid, failedUid: null, failedTries: 0 }),
    )
  } catch (error) {
    if (error instanceof LeaseLost || isPassing(error)) throw error
    // The email stays in the mailbox, and the ones after it are read. Without the message, which may quote the customer.
    log.error(
      { uid, ticketId, name: (error as Error).name, code: sqlStateOf(error) },
      'an answer to a ticket could not be stored',
    )
  }
}

async function readOr(
  from: string,
  messageId: string | undefined,
  fetchWhole: () => Promise<Buffer | undefined>,
): Promise<ReadAnswer | undefined> {
  const raw = await fetchWhole()
  if (!raw) return undefined
  try {
    return await readAnswer(raw)
  } catch (error) {
    if (error instanceof UnreadableMail) return unread(from, messageId, 'it is damaged or too long')
    throw error
  }
}

const unread = (from: string, messageId = '', why: string): ReadAnswer => ({
  from,
  // The customer sees it too.
  body: `This answer by email cannot be shown here, because ${why}. The email is in our mailbox.`,
  refused: [],
  sourceKey: `unread ${messageId || from}`.slice(0, 300),
  isAutomatic: false,
})
