import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs.ts'
import { createRenewals } from './service/create-renewals.ts'
import { expireInvoices } from './service/expire-invoices.ts'
import { closeOutdatedChanges } from './service/outdated-change.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'expire-invoices',
    cron: '* * * * *',
    run: () => expireInvoices(db),
    ahead: () => sql`SELECT expires_at AS at FROM invoices WHERE status IN ('draft', 'pending')`,
  },
  { name: 'close-outdated-changes', cron: '* * * * *', run: () => closeOutdatedChanges(db) },
  {
    name: 'create-renewals',
    cron: '*/10 * * * *',
    run: () => createRenewals(db),
    ahead: async () => {
      const { daysAhead } = await settings.read(db, 'renewals')
      return sql`SELECT subscription_end_date - interval '24 hours' * ${daysAhead}::int AS at FROM users WHERE subscription_status = 'active' AND ${daysAhead}::int > 0`
    },
  },
]
