import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { forgetExpired } from './service/forget-expired.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'forget-expired-logins', cron: '17 * * * *', run: () => forgetExpired(db) },
]
