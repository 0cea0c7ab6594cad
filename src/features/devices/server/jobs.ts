import { and, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { deviceCodes, devices } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'

/**
 * Deletes devices 30 days after they were removed, with their plays. Removes browsers without a session 90 days after they were added, and TVs that did
 * not fetch their token within an hour. Deletes pairing codes an hour after they expired.
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
  await db.delete(deviceCodes).where(sql`${deviceCodes.expiresAt} < now() - interval '1 hour'`)
  const isOld = and(isNotNull(devices.endedAt), sql`${devices.endedAt} < now() - interval '30 days'`)
  return (await db.delete(devices).where(isOld)).rowCount ?? 0
}
