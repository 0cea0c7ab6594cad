import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import { reminderMinutes } from '../../rules.ts'
import { shift } from '../read/program-columns.ts'

const batchSize = 500
type Due = {
  userId: number
  email: string
  channelId: number
  channelName: string
  title: string
  startsAt: string
  isInTime: boolean
}

/**
 * Emails the reminders of programs that start within five minutes, once per program. A reminder is dropped if no job ran until ten minutes after the
 * start, if the channel is hidden, or if the channel now lists another program at that time. Returns the number of emails.
 */
export async function remindPrograms(db: Db): Promise<number> {
  let mailed = 0
  for (;;) {
    const { due, sent } = await remindBatch(db)
    mailed += sent
    if (due < batchSize) return mailed
  }
}

const remindBatch = (db: Db): Promise<{ due: number; sent: number }> =>
  inTransaction(db, async (tx) => {
    const { rows } = await tx.execute<Due>(dueReminders)
    const inTime = rows.filter(({ isInTime }) => isInTime)
    for (const { userId, email, channelId, channelName, title, startsAt } of inTime) {
      await enqueueMail(tx, {
        dedupeKey: `program_starting:${userId}:${channelId}:${Date.parse(startsAt) / 1000}`,
        userId,
        recipient: email,
        template: 'program_starting',
        data: { title, channelName, channelId, startsAt: new Date(startsAt).toISOString() },
      })
      await changed(tx, 'program_mark', { user: userId })
    }
    return { due: rows.length, sent: inTime.length }
  })

const dueReminders = sql`
  WITH due AS (
    SELECT user_id, channel_id, starts_at FROM program_marks
    WHERE reminder AND reminded_at IS NULL AND starts_at <= now() + interval '1 minute' * ${reminderMinutes}::int
    ORDER BY starts_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
  )
  UPDATE program_marks m SET reminded_at = now() FROM due, users u, channels c
  WHERE m.user_id = due.user_id AND m.channel_id = due.channel_id AND m.starts_at = due.starts_at AND u.id = m.user_id AND c.id = m.channel_id
  RETURNING m.user_id AS "userId", u.email, m.channel_id AS "channelId", c.name AS "channelName", m.title, m.starts_at AS "startsAt",
    m.starts_at > now() - interval '10 minutes' AND NOT c.hidden AND NOT EXISTS (
      SELECT FROM channel_guides g JOIN guide_programs p ON p.guide_channel_id = g.guide_channel_id AND p.starts_at = m.starts_at - ${shift}
      WHERE g.channel_id = m.channel_id AND p.title <> m.title) AS "isInTime"`
