import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { removeOldImports } from './service/remove-import.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'remove-old-imports', cron: '41 3 * * *', run: () => removeOldImports(db) },
]
