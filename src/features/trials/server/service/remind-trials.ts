import { sql } from 'drizzle-orm'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

const hoursAhead = 12
const batchSize = 500
type Due = { key: string; userId: number; email: string; expiryDate: Instant }

/**
 * Emails customers whose trial ends within twelve hours, once per expiry date. Skips active subscribers and trials that were approved less than an hour
 * ago. Returns the number of emails.
 */
export async function remindTrials(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.execute<Due>(dueReminders)
    for (const { key, userId, email, expiryDate } of rows)
      await enqueueMail(tx, {
        dedupeKey: key,
        userId,
        recipient: email,
        template: 'trial_ending',
        data: { expiryDate: new Date(expiryDate).toISOString() },
      })
    return rows.length
  })
}

const dueReminders = sql`
  SELECT * FROM (
    SELECT t.user_id AS "userId", u.email, t.expiry_date AS "expiryDate", 'trial_ending:' || t.id || ':' || floor(extract(epoch FROM t.expiry_date))::bigint AS key
    FROM trial_requests t JOIN users u ON u.id = t.user_id
    WHERE t.status = 'approved' AND t.ended_at IS NULL AND t.expiry_date > now() AND t.expiry_date <= now() + interval '1 hour' * ${hoursAhead}::int
      AND t.response_date <= now() - interval '1 hour' AND u.subscription_status <> 'active'
  ) due
  WHERE NOT EXISTS (SELECT 1 FROM mails m WHERE m.dedupe_key = due.key)
  ORDER BY "expiryDate" LIMIT ${batchSize}`
