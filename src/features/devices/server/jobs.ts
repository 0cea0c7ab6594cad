import { and, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { deviceCodes, devices } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'

/**
 * Deletes devices that were removed 30 days ago, with their plays. Browsers whose login has ended keep their name for 90 days. TVs that did not
 * fetch their token are removed after an hour.
 */
export const jobs = (db: Db): Job[] => [
  { name: 'remove-old-devices', cron: '41 * * * *', run: () => removeOldDevices(db) },
]

async function removeOldDevices(db: Db): Promise<number> {
  await db
    .update(devices)
    .set({ endedAt: sql`now()` })
    .where(
      sql`${devices.endedAt} is null and ((${devices.kind} = 'browser' and ${devices.createdAt} < now() - interval '90 days'
        and not exists (select from sessions where sessions.id = ${devices.sessionId}))
        or (${devices.kind} = 'tv' and ${devices.tokenHash} is null and ${devices.createdAt} < now() - interval '1 hour'))`,
    )
  // Codes whose TV never fetched its token
  await db.delete(deviceCodes).where(sql`${deviceCodes.expiresAt} < now() - interval '1 hour'`)
  const isOld = and(isNotNull(devices.endedAt), sql`${devices.endedAt} < now() - interval '30 days'`)
  return (await db.delete(devices).where(isOld)).rowCount ?? 0
}
