import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Instant } from '#kit/dates.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

const batchSize = 500
type Due = {
  key: string
  id: number
  email: string
  planName: string | null
  endDate: Instant
  days: number
  invoiceNumber: string | null
}

/**
 * Emails subscribers before their end date, once for each configured number of days. After downtime, only the latest reminder that still applies is
 * sent. Customers with a payment under review are skipped. Returns the number of emails.
 */
export async function remindSubscribers(db: Db): Promise<number> {
  const { reminderDays } = await settings.read(db, 'renewals')
  if (reminderDays.length === 0) return 0
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.execute<Due>(dueReminders(reminderDays))
    for (const { key, id, email, planName, endDate, days, invoiceNumber } of rows)
      await enqueueMail(tx, {
        dedupeKey: key,
        userId: id,
        recipient: email,
        template: 'subscription_expiring',
        data: { planName, endDate: new Date(endDate).toISOString(), days, invoiceNumber },
      })
    return rows.length
  })
}

// Days are 24 hours: calendar days vary in length with daylight saving time.
const dueReminders = (reminderDays: readonly number[]) => sql`
  SELECT * FROM (
    SELECT u.id, u.email, p.name AS "planName", u.subscription_end_date AS "endDate", near.days,
      'subscription_expiring:' || u.id || ':' || floor(extract(epoch FROM u.subscription_end_date))::bigint || ':' || near.days AS key,
      (SELECT i.invoice_number FROM invoices i WHERE i.user_id = u.id AND i.renews_end = u.subscription_end_date AND i.status IN ('draft', 'pending')) AS "invoiceNumber"
    FROM users u
    LEFT JOIN plans p ON p.id = coalesce((SELECT s.plan_id FROM segments s WHERE s.user_id = u.id AND s.replaced_by IS NULL AND NOT s.withdrawn ORDER BY s.starts_at DESC LIMIT 1), u.plan_id)
    CROSS JOIN LATERAL (
      SELECT min(day) AS days FROM unnest(${sql.param(`{${reminderDays.join(',')}}`)}::int[]) AS day
      WHERE u.subscription_end_date <= now() + interval '24 hours' * day
    ) near
    WHERE u.subscription_status = 'active' AND u.subscription_end_date > now()
      AND u.subscription_end_date <= now() + interval '24 hours' * ${Math.max(...reminderDays)}::int
      AND NOT EXISTS (SELECT 1 FROM invoices i WHERE i.user_id = u.id AND i.status = 'pending' AND i.submitted_at IS NOT NULL)
  ) due
  WHERE NOT EXISTS (SELECT 1 FROM mails m WHERE m.dedupe_key = due.key)
  ORDER BY "endDate" LIMIT ${batchSize}`
