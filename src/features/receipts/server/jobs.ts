import { and, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { paymentMails } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { limits } from '#server/limits.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'forget-payment-emails', cron: '37 3 * * *', run: () => forgetContents(db) },
]

/** Removes the contents of old payment emails. What was found in them stays. */
async function forgetContents(db: Db): Promise<number> {
  const old = sql`${paymentMails.readAt} < now() - make_interval(days => ${limits.mailbox.rawKeptDays})`
  return (
    (
      await db
        .update(paymentMails)
        .set({ sealed: null })
        .where(and(isNotNull(paymentMails.sealed), old))
    ).rowCount ?? 0
  )
}
