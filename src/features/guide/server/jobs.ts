import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { guidePrograms, guideUploads } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { limits } from '#server/limits.ts'
import { removeUnusedListings } from './panel/store-listings.ts'

/** Deletes programs that are older than the longest archive reaches. Returns how many. */
export async function removeOldPrograms(db: Db): Promise<number> {
  const { rowCount } = await db.execute(sql`delete from ${guidePrograms} where starts_at < guide_kept_from()`)
  return rowCount ?? 0
}

/** Deletes uploads that were not finished within a day, and finished ones when all their programs are over. */
async function removeOldUploads(db: Db): Promise<void> {
  await db.execute(sql`delete from ${guideUploads}
    where created_at < now() - case when parts is null then interval '1 day' else make_interval(days => ${limits.guide.uploadDays}) end`)
}

export const jobs = (db: Db): Job[] => [
  {
    name: 'remove-old-programs',
    cron: '41 * * * *',
    run: async () => {
      await removeOldUploads(db)
      await removeUnusedListings(db)
      return removeOldPrograms(db)
    },
  },
]
