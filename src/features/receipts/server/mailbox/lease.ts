import { and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { mailboxReader } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { notifyOwners } from '#server/session/administrators.ts'

export type ReaderState = typeof mailboxReader.$inferSelect
const expiry = sql`now() + make_interval(secs => ${limits.mailbox.leaseSeconds})`
const held = (holder: string) => and(eq(mailboxReader.holder, holder), sql`${mailboxReader.heldUntil} > now()`)

/**
 * Acquires the lease of the mailbox for one reader. Returns undefined if another reader holds the lease, during a back-off, and if the mailbox is off or
 * paused.
 */
export async function acquireMailbox(db: Db, holder: string): Promise<ReaderState | undefined> {
  const [taken] = await db
    .update(mailboxReader)
    .set({ holder, heldUntil: expiry })
    .where(
      and(
        or(isNull(mailboxReader.holder), lte(mailboxReader.heldUntil, sql`now()`)),
        lte(mailboxReader.restUntil, sql`now()`),
        isNull(mailboxReader.pausedSince),
        isNotNull(mailboxReader.enabledAt),
      ),
    )
    .returning()
  return taken
}

/** Extends the lease. Returns false if it was lost. */
export async function renewMailbox(db: Db, holder: string): Promise<boolean> {
  const kept = await db
    .update(mailboxReader)
    .set({ heldUntil: expiry })
    .where(held(holder))
    .returning({ id: mailboxReader.id })
  return kept.length > 0
}

export const releaseMailbox = (db: Db, holder: string) =>
  db.update(mailboxReader).set({ holder: null, heldUntil: sql`now()` }).where(eq(mailboxReader.holder, holder))

type Position = Partial<
  Pick<ReaderState, 'mailbox' | 'uidValidity' | 'lastUid' | 'failedUid' | 'failedTries'> & { hasRead: boolean }
>
/** Thrown if another process holds the lease now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}
/** Stores the reading position. Call it in the transaction that stores what was read. Throws `LeaseLost`, so that the transaction is rolled back. */
export async function storePosition(
  tx: Db | Tx,
  holder: string,
  { hasRead = false, ...position }: Position,
): Promise<void> {
  const moved = await tx
    .update(mailboxReader)
    .set({ ...position, ...(hasRead && { lastMailAt: sql`now()` }) })
    .where(held(holder))
    .returning({ id: mailboxReader.id })
  if (moved.length === 0) throw new LeaseLost('another process reads the mailbox')
}

/** Records that the mailbox was checked for new emails, which ends a series of failures. */
export async function markChecked(db: Db, holder: string): Promise<void> {
  const [before] = await db.select({ failingSince: mailboxReader.failingSince }).from(mailboxReader)
  const checked = await db
    .update(mailboxReader)
    .set({ checkedAt: sql`now()`, failures: 0, failingSince: null, lastFailure: null })
    .where(held(holder))
    .returning({ id: mailboxReader.id })
  if (checked.length === 0) throw new LeaseLost('another process reads the mailbox')
  if (before?.failingSince) await changed(db, 'mailbox')
}

/** Returns the seconds to wait after this number of consecutive failures: 5 seconds at first, doubled each time, at most 10 minutes. */
export const backOffSeconds = (failures: number): number => Math.min(600, 5 * 2 ** Math.min(failures - 1, 10))

/** Records a failed attempt, after which no process tries again for `backOffSeconds`. `message` is shown to administrators. */
export async function backOff(db: Db, holder: string, message: string, random = Math.random): Promise<void> {
  const [state] = await db.select({ failures: mailboxReader.failures }).from(mailboxReader)
  const failures = (state?.failures ?? 0) + 1
  await db
    .update(mailboxReader)
    .set({
      failures,
      restUntil: sql`now() + make_interval(secs => ${backOffSeconds(failures) * (0.75 + random() / 2)})`,
      failingSince: sql`coalesce(${mailboxReader.failingSince}, now())`,
      lastFailure: message,
    })
    .where(eq(mailboxReader.holder, holder))
  await changed(db, 'mailbox')
}

/** Pauses the mailbox until its settings are saved. Emails all owners once, even if the login of several processes was refused. */
export const pauseMailbox = (db: Db, holder: string, message: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const [paused] = await tx
      .update(mailboxReader)
      .set({ pausedSince: sql`now()`, lastFailure: message })
      .where(and(held(holder), isNull(mailboxReader.pausedSince)))
      .returning({ pausedSince: mailboxReader.pausedSince })
    if (!paused) return
    const { username, host } = await settings.read(tx, 'mailbox')
    const name = `${username} on ${host}`
    await audit(tx, {
      actorId: null,
      action: 'mailbox.pause',
      targetType: 'setting',
      targetId: 'mailbox',
      after: { mailbox: name },
    })
    await notifyOwners(tx, {
      event: 'mailbox_paused',
      about: name,
      actor: null,
      key: paused.pausedSince!,
    })
    await changed(tx, 'mailbox')
  })
