import { eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Output } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users, watching } from '#server/db/tables.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import { type getWatching as endpoint, rightsStatement } from '../../admin-contract.ts'
import { warningDays } from '../../right-rules.ts'
import { isLicensed, today } from './licensed.ts'

/** Returns whether watching is on, and how many published channels need attention. */
export async function readWatching(db: Db, knowsCountries: boolean): Promise<Output<typeof endpoint>> {
  const lastRightEnds = sql`(select max(valid_until) from channel_rights r where r.channel_id = w.channel_id)`
  const licensed = isLicensed(sql`w.channel_id`)
  const [[row], counted] = await Promise.all([
    db
      .select({
        enabledAt: watching.enabledAt,
        enabledBy: users.username,
        unattendedHours: watching.unattendedHours,
      })
      .from(watching)
      .leftJoin(users, eq(users.id, watching.enabledBy)),
    db.execute<{ published: number; unlicensed: number; ending: number }>(sql`
      select count(*)::int as published, count(*) filter (where not ${licensed})::int as unlicensed,
        count(*) filter (where ${licensed} and ${lastRightEnds} <= ${today} + ${warningDays}::int)::int as ending
      from watch_channels w`),
  ])
  return { ...row!, knowsCountries, ...counted.rows[0]! }
}

/** Turns watching on or off. When it is turned on, the audit entry contains the confirmed statement. Does nothing if watching is already in that state. */
export async function switchWatching(
  db: Db,
  { enabled }: { enabled: boolean },
  { admin, requestId }: Actor,
): Promise<{ enabled: boolean }> {
  await inTransaction(db, async (tx) => {
    const switched = await tx
      .update(watching)
      .set({
        enabledAt: enabled ? sql`now()` : null,
        enabledBy: enabled ? admin.id : null,
        version: sql`${watching.version} + 1`,
      })
      .where(enabled ? isNull(watching.enabledAt) : isNotNull(watching.enabledAt))
      .returning({ id: watching.id })
    if (switched.length === 0) return
    await audit(tx, {
      actorId: admin.id,
      action: enabled ? 'watching.enable' : 'watching.disable',
      targetType: 'watching',
      targetId: 1,
      after: enabled ? { enabled, statement: rightsStatement } : { enabled },
      requestId,
    })
    await changed(tx, 'channel_right')
    await notifyCatalog(tx)
  })
  return { enabled }
}
