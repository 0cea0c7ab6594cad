import type { FetchMessageObject } from 'imapflow'
import * as settings from '#features/settings/server/service.ts'
import { mayOpenTicket, openByEmail } from '#features/tickets/server/service/open-by-email.ts'
import { encodeEmailedPictures } from '#features/tickets/server/service/pictures/encode-emailed-pictures.ts'
import type { NewPicture } from '#features/tickets/server/service/pictures/sent-pictures.ts'
import { findAnswered, receiveAnswer } from '#features/tickets/server/service/receive-answer.ts'
import { isUnavailable, type Tx } from '#server/db/connect.ts'
import { sqlStateOf } from '#server/db/retry.ts'
import { limits } from '#server/limits.ts'
import { isSenderProven } from '../read/mail/authenticity.ts'
import { UnreadableMail } from '../read/mail/document.ts'
import type { MailContext } from '../read/mail/read-mail.ts'
import { mailContext, type ReaderContext } from './config.ts'
import { LeaseLost, storePosition } from './lease.ts'
import { HourlyLimit } from './pace.ts'
import { type ReadAnswer, readAnswer, refusalOf } from './read-answer.ts'

type Read = ReadAnswer & { isProven: boolean }

/** Whether an error is a database failure that was not caused by the email: the database is unavailable, or a lock or statement timed out. */
export const isTransientFailure = (error: unknown): boolean =>
  isUnavailable(error) || /^(55|57)/.test(sqlStateOf(error) ?? '')

/**
 * Adds an email to its ticket if it is a reply to one. Otherwise opens a ticket with it if the settings allow this for its sender. The position is stored in
 * the same transaction. Ignores other emails and automatic replies. `fetchWhole` returns the email, or undefined if it has been deleted in the meantime. Throws
 * `MailboxFailure`, `LeaseLost`, or the error if the database is unavailable.
 */
export async function processTicketEmail(
  { db, log, resolver }: Pick<ReaderContext, 'db' | 'log' | 'resolver'>,
  holder: string,
  { uid, envelope, size = 0 }: FetchMessageObject,
  fetchWhole: () => Promise<Buffer | undefined>,
): Promise<void> {
  const ticketId = await findAnswered(db, {
    subject: envelope?.subject ?? '',
    inReplyTo: envelope?.inReplyTo ?? '',
  })
  const from = envelope?.from?.[0]?.address ?? ''
  const { newTickets, username, addresses } = await settings.read(db, 'mailbox')
  const isOwn = [username, ...addresses].some((address) => address.toLowerCase() === from.toLowerCase())
  if (ticketId === undefined && (isOwn || !(await mayOpenTicket(db, from, newTickets)))) return
  const read = isTooLarge(size, ticketId !== undefined)
    ? unread(from, envelope?.messageId, 'it is too large')
    : await readOr(from, envelope?.messageId, fetchWhole, await mailContext({ db, resolver }))
  if (!read || read.isAutomatic || (ticketId === undefined && !read.isProven)) return
  const move = (tx: Tx) => storePosition(tx, holder, { lastUid: uid, failedUid: null, failedTries: 0 })
  try {
    const email = { ...read, ...(await picturesIn(read)) }
    await (ticketId === undefined ? openByEmail(db, email, move) : receiveAnswer(db, ticketId, email, move))
  } catch (error) {
    if (error instanceof LeaseLost || isTransientFailure(error)) throw error
    // The email stays in the mailbox, and reading continues with the emails after it. The error message is not logged because it may quote the customer.
    log.error(
      { uid, ticketId, name: (error as Error).name, code: sqlStateOf(error) },
      'an email to a ticket could not be stored',
    )
  }
}

const largeAnswers = new HourlyLimit(limits.mailbox.largeAnswersPerHour)
/** Whether an email is too large to be read. A limited number of ticket replies per hour may be larger than payment emails. */
const isTooLarge = (size: number, isAnswer: boolean): boolean =>
  size > limits.mailbox.bytes && !(isAnswer && size <= limits.mailbox.answerBytes && largeAnswers.take(Date.now()))

/** Returns the encoded pictures of an email and the texts about its refused attachments. If the sender is not proven, its pictures are refused as well. */
async function picturesIn({ mailed, refused, isProven }: Read): Promise<{ pictures: NewPicture[]; refused: string[] }> {
  if (!isProven) return { pictures: [], refused: [...refused, ...mailed.map(({ name }) => refusalOf(name))] }
  const encoded = await encodeEmailedPictures(mailed)
  return { pictures: encoded.pictures, refused: [...refused, ...encoded.refused] }
}

async function readOr(
  from: string,
  messageId: string | undefined,
  fetchWhole: () => Promise<Buffer | undefined>,
  context: Pick<MailContext, 'resolver' | 'mailbox'>,
): Promise<Read | undefined> {
  const raw = await fetchWhole()
  if (!raw) return undefined
  try {
    return { ...(await readAnswer(raw)), isProven: await isSenderProven(raw, context) }
  } catch (error) {
    if (error instanceof UnreadableMail) return unread(from, messageId, 'it is damaged or too long')
    throw error
  }
}

const unread = (from: string, messageId = '', why: string): Read => ({
  from,
  name: '',
  subject: '',
  text: '',
  isProven: false,
  // Customers see this text as well.
  body: `This answer by email cannot be shown here, because ${why}. The email is in our mailbox.`,
  refused: [],
  mailed: [],
  sourceKey: `unread ${messageId || from}`.slice(0, 300),
  isAutomatic: false,
})
