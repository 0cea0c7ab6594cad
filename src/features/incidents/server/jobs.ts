import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { advanceIncidents, renewStatusPage } from './service/advance-incidents.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'follow-incidents',
    cron: '* * * * *',
    run: () => advanceIncidents(db),
    dueDates: () => sql`SELECT CASE WHEN begun THEN planned_until ELSE starts_at END AS at FROM incidents
      WHERE ended_at IS NULL AND withdrawn_at IS NULL AND (NOT begun OR planned_until IS NOT NULL)`,
  },
  // A new day begins on the status page at midnight UTC.
  { name: 'renew-status-page', cron: '0 0 * * *', run: () => renewStatusPage(db) },
]
