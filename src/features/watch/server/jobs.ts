import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { removeOldPlays } from './plays/end-play.ts'

/** Ends plays that made no request for an hour and deletes old ones. */
export const jobs = (db: Db): Job[] => [{ name: 'remove-old-plays', cron: '23 * * * *', run: () => removeOldPlays(db) }]
