import { setTimeout as pause } from 'node:timers/promises'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { confirmWaiting } from '#features/payments/server/service/automation/confirm-by-rule.ts'
import { sqlStateOf } from '#server/db/retry.ts'
import { limits } from '#server/limits.ts'
import { readMail } from '../read/mail/read-mail.ts'
import { senderOf } from '../read/mail/senders.ts'
import { mailContext, type ReaderConfig, type ReaderContext } from './config.ts'
import type { OpenMailbox } from './connection.ts'
import { failureOf, MailboxFailure } from './failure.ts'
import { LeaseLost, markChecked, type ReaderState, storePosition } from './lease.ts'
import { Pace } from './pace.ts'
import { isTransientFailure, processTicketEmail } from './process-ticket-email.ts'
import { type MailEnvelope, storeMail, unreadContent } from './store-mail.ts'

/**
 * The position after which reading continues. `lastUid` is the last processed email; `failed` is an email that could not be stored, with the number of
 * attempts.
 */
export type Cursor = { lastUid: number; uidValidity: bigint; failed: { uid: number; tries: number }; pace: Pace }

/**
 * Returns the position in an opened folder. If the account or folder has changed, reading starts after the newest email. If the server has renumbered the
 * emails (UIDVALIDITY), those of the last `rescanDays` are read again; emails that are already stored are recognized.
 */
export async function startAt(
  { db }: ReaderContext,
  { mailbox }: ReaderConfig,
  holder: string,
  open: OpenMailbox,
  state: ReaderState,
): Promise<Cursor> {
  const { uidValidity, client } = open
  const pace = new Pace()
  if (state.mailbox === mailbox && state.uidValidity === uidValidity)
    return {
      lastUid: state.lastUid!,
      uidValidity,
      failed: { uid: state.failedUid ?? 0, tries: state.failedTries },
      pace,
    }
  const isSame = state.mailbox === mailbox && state.uidValidity !== null
  const lastUid = isSame ? await beforeRecent(client) : Math.max(0, open.uidNext - 1)
  await storePosition(db, holder, { mailbox, uidValidity, lastUid, failedUid: null, failedTries: 0 })
  return { lastUid, uidValidity, failed: { uid: 0, tries: 0 }, pace }
}

async function beforeRecent(client: ImapFlow): Promise<number> {
  const since = new Date(Date.now() - limits.mailbox.rescanDays * 86_400_000)
  const recent = await search(client, { since })
  return recent.length > 0 ? Math.min(...recent) - 1 : 0
}

async function search(client: ImapFlow, query: Parameters<ImapFlow['search']>[0]): Promise<number[]> {
  const found = await client.search(query, { uid: true }).catch((error) => {
    throw failureOf(error)
  })
  // If the connection is lost or the server refuses the command, imapflow returns no list instead of throwing. That must not be taken for an empty mailbox.
  if (!found) throw new MailboxFailure('lost')
  return found
}

/**
 * Reads the emails after the position, in order, and stores each payment email with its payments and the new position in one transaction. Adds replies to their
 * tickets. Returns how many emails from payment providers were read. Throws `MailboxFailure`, `LeaseLost`, or a database error.
 */
export async function readNew(
  context: ReaderContext,
  config: ReaderConfig,
  holder: string,
  client: ImapFlow,
  cursor: Cursor,
  signal: AbortSignal,
): Promise<number> {
  const uids = (await search(client, { uid: `${cursor.lastUid + 1}:*` }))
    .filter((uid) => uid > cursor.lastUid)
    .sort((a, b) => a - b)
  let read = 0
  for (let from = 0; from < uids.length; from += limits.mailbox.fetchBatch) {
    const group = uids.slice(from, from + limits.mailbox.fetchBatch)
    const envelopes = await fetchEnvelopes(client, group)
    for (const uid of group) {
      if (signal.aborted) return read
      const mail = envelopes.get(uid)
      if (mail && isFromProvider(mail)) {
        await slowDown(context, holder, cursor.pace, signal)
        if (signal.aborted) return read
        await readOne(context, config, holder, client, cursor, envelopeOf(mail, config.mailbox, cursor.uidValidity))
        read++
      } else if (mail)
        await processTicketEmail(context, holder, mail, () => fetchWhole(client, uid, limits.mailbox.answerBytes))
      cursor.lastUid = uid
    }
    // The last emails may be from other senders. These are not stored, so their position must be stored here.
    await storePosition(context.db, holder, { lastUid: cursor.lastUid })
  }
  return read
}

/** Waits if the mailbox is flooded. Marks the mailbox as checked, because emails are still being read. */
async function slowDown({ db }: ReaderContext, holder: string, pace: Pace, signal: AbortSignal): Promise<void> {
  const ms = pace.next(Date.now())
  if (ms === 0) return
  await markChecked(db, holder)
  await pause(ms, undefined, { signal }).catch(() => undefined)
}

async function fetchEnvelopes(client: ImapFlow, uids: number[]): Promise<Map<number, FetchMessageObject>> {
  try {
    const query = { envelope: true, size: true, internalDate: true }
    const found = await client.fetchAll(uids.join(','), query, { uid: true })
    return new Map(found.map((mail) => [mail.uid, mail]))
  } catch (error) {
    throw failureOf(error)
  }
}

const isFromProvider = ({ envelope }: FetchMessageObject): boolean =>
  envelope?.from?.some(({ address }) => senderOf(address ?? '') !== undefined) ?? false

function envelopeOf(
  { uid, envelope, size = 0, internalDate }: FetchMessageObject,
  mailbox: string,
  uidValidity: bigint,
): MailEnvelope {
  const sender = envelope?.from?.find(({ address }) => senderOf(address ?? ''))
  const received = new Date(internalDate ?? envelope?.date ?? Date.now())
  return {
    mailbox,
    uidValidity,
    uid,
    messageId: envelope?.messageId ?? '',
    sender: sender?.address ?? '',
    subject: envelope?.subject ?? '',
    size,
    receivedAt: Number.isNaN(received.getTime()) ? new Date() : received,
  }
}

async function readOne(
  context: ReaderContext,
  config: ReaderConfig,
  holder: string,
  client: ImapFlow,
  cursor: Cursor,
  mail: MailEnvelope,
): Promise<void> {
  const { db } = context
  const position = { lastUid: mail.uid, failedUid: null, failedTries: 0, hasRead: true }
  const also = (tx: Parameters<typeof storePosition>[0]) => storePosition(tx, holder, position)
  const store = (content: Parameters<typeof storeMail>[1]['content'], raw: Uint8Array | null) =>
    storeMail(db, { mail, content, raw, key: config.key }, also)
  if (mail.size > limits.mailbox.bytes) {
    await store(unreadContent(mail, 'too_large'), null)
    return
  }
  const raw = await fetchWhole(client, mail.uid)
  if (!raw) return
  if (raw.length > limits.mailbox.bytes) {
    await store(unreadContent(mail, 'too_large'), null)
    return
  }
  const content = await readMail(raw, await mailContext(context))
  if (content.outcome === 'ignored') return
  try {
    const { payments } = await store(content, raw)
    if (payments.length > 0) await confirmNow(context)
  } catch (error) {
    const { name } = error as Error
    if (error instanceof LeaseLost || isTransientFailure(error)) throw error
    const tries = cursor.failed.uid === mail.uid ? cursor.failed.tries + 1 : 1
    // The error message is not logged because it may quote the payer.
    context.log.error({ uid: mail.uid, tries, name, code: sqlStateOf(error) }, 'a payment email could not be processed')
    cursor.failed = { uid: mail.uid, tries }
    if (tries >= limits.mailbox.tries)
      await store({ ...content, outcome: 'unreadable', reason: name, payments: [] }, raw)
    else {
      await storePosition(db, holder, { failedUid: mail.uid, failedTries: tries })
      throw error
    }
  }
}

/** Confirms the payments that the rule may confirm. A failure must not prevent reading the next email, because a job repeats the confirmation. */
const confirmNow = ({ db, log }: ReaderContext): Promise<unknown> =>
  confirmWaiting(db).catch((error: Error) =>
    log.error({ message: error.message }, 'automatic confirmation failed; it is repeated within a minute'),
  )

/** Fetches an email without marking it as read. A larger email is cut after `maxBytes` + 1 bytes. Returns undefined if it has been deleted in the meantime. */
async function fetchWhole(
  client: ImapFlow,
  uid: number,
  maxBytes: number = limits.mailbox.bytes,
): Promise<Buffer | undefined> {
  try {
    const query = { source: { maxLength: maxBytes + 1 } }
    const found = await client.fetchOne(String(uid), query, { uid: true })
    return found ? found.source : undefined
  } catch (error) {
    throw failureOf(error)
  }
}
