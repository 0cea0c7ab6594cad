import { lt, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { passkeyChallenges } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'

/** Deletes expired challenges. */
export const jobs = (db: Db): Job[] => [
  {
    name: 'forget-passkey-challenges',
    cron: '27 * * * *',
    run: async () => (await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, sql`now()`))).rowCount,
  },
]
