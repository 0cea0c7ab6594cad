import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs.ts'
import { expireInvoices } from './service/expire-invoices.ts'

export const jobs = (db: Db): Job[] => [{ name: 'expire-invoices', cron: '* * * * *', run: () => expireInvoices(db) }]
