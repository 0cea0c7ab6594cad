import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { emailNextCustomers } from './service/email-customers.ts'
import { removeOldImports } from './service/remove-import.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'email-imported-customers', cron: '* * * * *', run: () => emailNextCustomers(db) },
  { name: 'remove-old-imports', cron: '41 3 * * *', run: () => removeOldImports(db) },
]
