import { and, isNotNull, sql } from 'drizzle-orm'
import { returnToShadow } from '#features/payments/server/service/automation/return-to-shadow.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { paymentMails } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { watchQuiet } from './mailbox/quiet.ts'
import { forgetEvents } from './webhooks/settle-event.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'watch-email-signatures', cron: '*/10 * * * *', run: () => watchSignatures(db) },
  { name: 'watch-payment-emails', cron: '23 * * * *', run: () => watchQuiet(db) },
  { name: 'forget-payment-emails', cron: '37 3 * * *', run: () => forgetContents(db) },
  { name: 'forget-payment-events', cron: '41 3 * * *', run: () => forgetEvents(db) },
]

const fewestWatched = 10
/**
 * Sets automatic confirmation back to shadow mode if more than a tenth of the payment emails of the last day could not be verified. Returns 1 if so, otherwise
 * 0.
 */
export const watchSignatures = (db: Db): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows } = await tx.execute<{ all: number; unverified: number }>(sql`
      select count(*)::int as all, count(*) filter (where auth in ('unproven', 'forged'))::int as unverified
      from payment_mails where read_at > now() - interval '1 day' and outcome <> 'not_a_payment'`)
    const { all, unverified } = rows[0]!
    if (all < fewestWatched || unverified * 10 <= all) return 0
    await returnToShadow(tx, `${unverified} of ${all} payment emails of the last day could not be verified`)
    return 1
  })

/** Removes the stored contents of old payment emails, and returns how many. The payments found in them are kept. */
async function forgetContents(db: Db): Promise<number> {
  const { emailDays } = await settings.read(db, 'paymentDesk')
  const old = sql`${paymentMails.readAt} < now() - make_interval(days => ${emailDays})`
  return (
    (
      await db
        .update(paymentMails)
        .set({ sealed: null })
        .where(and(isNotNull(paymentMails.sealed), old))
    ).rowCount ?? 0
  )
}
