import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { emailNextCustomers } from './service/email-customers.ts'
import { removeOldImports } from './service/remove-import.ts'

export const jobs = (db: Db): Job[] => [
  { name: 'remove-old-imports', cron: '41 3 * * *', run: () => removeOldImports(db) },
]

/** The job that emails imported customers. It needs the configuration because their links are sealed with the secret key of the installation. */
export const emailJob = (sender: { db: Db; config: Config }): Job => ({
  name: 'email-imported-customers',
  cron: '* * * * *',
  run: () => emailNextCustomers(sender),
})
