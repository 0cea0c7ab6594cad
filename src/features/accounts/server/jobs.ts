import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { deleteExpired } from './service/delete-expired.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'forget-expired-logins', cron: '17 * * * *', run: () => deleteExpired(db) },
]
