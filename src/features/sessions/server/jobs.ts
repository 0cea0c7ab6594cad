import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { deleteExpiredSessions } from '#server/session/session.ts'

/** Deletes expired sessions and the IP addresses in them. */
export const jobs = (db: Db): Job[] => [
  { name: 'forget-sessions', cron: '7 3 * * *', run: () => deleteExpiredSessions(db) },
]
