import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { limits } from '#server/limits.ts'
import { notifyOwners } from '#server/session/administrators.ts'

/**
 * Returns when the last payment email was read if the current gap is unusual, otherwise null. A gap of `quietDays` is unusual if the mailbox is being checked
 * and payment emails arrived on most days before. Possible causes: the services write to another mailbox, or a filter moves their emails.
 */
export async function quietSince(db: Db): Promise<string | null> {
  const { quietDays, usualDays, usualWithinDays } = limits.mailbox
  const { rows } = await db.execute<{ last: string }>(sql`
    select m.read_at as last from mailbox_reader r
    cross join lateral (select read_at from payment_mails where outcome = 'payment' order by read_at desc limit 1) m
    where r.enabled_at is not null and r.paused_since is null and r.checked_at > now() - make_interval(mins => ${limits.mailbox.silentMinutes})
      and m.read_at < now() - make_interval(days => ${quietDays}) and ${usualDays} <= (
        select count(distinct (read_at at time zone 'UTC')::date) from payment_mails
        where outcome = 'payment' and read_at between m.read_at - make_interval(days => ${usualWithinDays}) and m.read_at)`)
  return rows[0] ? new Date(rows[0].last).toISOString() : null
}

/** Emails all owners once if no payment email has arrived for an unusually long time. Returns 1 if so, otherwise 0. */
export async function watchQuiet(db: Db): Promise<number> {
  const since = await quietSince(db)
  if (!since) return 0
  const { username, host } = await settings.read(db, 'mailbox')
  await inTransaction(db, (tx) =>
    notifyOwners(tx, { event: 'mailbox_quiet', about: `${username} on ${host}`, actor: null, key: since }),
  )
  return 1
}
