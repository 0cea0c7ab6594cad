import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { removeOldVerdicts } from './record-verdict.ts'
import { removeOldChecks } from './run-check.ts'

/** Deletes old self-checks. */
export const jobs = (db: Db): Job[] => [
  {
    name: 'remove-old-self-checks',
    cron: '41 4 * * *',
    run: async () => {
      await removeOldVerdicts(db)
      return removeOldChecks(db)
    },
  },
]
