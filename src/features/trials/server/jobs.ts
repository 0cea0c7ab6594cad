import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { endTrials } from './service/end-trials.ts'
import { remindTrials } from './service/remind-trials.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'end-trials',
    cron: '* * * * *',
    run: () => endTrials(db),
    dueDates: () => sql`SELECT expiry_date AS at FROM trial_requests WHERE status = 'approved' AND ended_at IS NULL`,
  },
  { name: 'remind-trials', cron: '*/10 * * * *', run: () => remindTrials(db) },
]
