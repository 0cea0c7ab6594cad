import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { refreshAllInsight } from './refresh-insight.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'refresh-insight', cron: '* * * * *', run: () => refreshAllInsight(db) },
]
