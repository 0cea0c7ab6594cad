import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { createRenewals } from './service/orders/create-renewals.ts'
import { expireInvoices } from './service/orders/expire-invoices.ts'
import { closeOutdatedChanges } from './service/orders/outdated-change.ts'
import { remindOrders } from './service/orders/remind-orders.ts'
import { releaseBonuses } from './service/payments/release-bonuses.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'expire-invoices',
    cron: '* * * * *',
    run: () => expireInvoices(db),
    dueDates: () => sql`SELECT expires_at AS at FROM invoices WHERE status IN ('draft', 'pending')`,
  },
  {
    name: 'release-bonuses',
    cron: '* * * * *',
    run: () => releaseBonuses(db),
    dueDates: () =>
      sql`SELECT bonus_available_at AS at FROM referral_claims WHERE bonus_booked_at IS NULL AND bonus_available_at IS NOT NULL`,
  },
  { name: 'close-outdated-changes', cron: '* * * * *', run: () => closeOutdatedChanges(db) },
  {
    name: 'remind-orders',
    cron: '*/10 * * * *',
    run: () => remindOrders(db),
    dueDates: async () => {
      const { reminderHours } = await settings.read(db, 'invoices')
      return sql`SELECT expires_at - interval '1 hour' * ${reminderHours}::int AS at FROM invoices WHERE status = 'draft' AND kind = 'purchase' AND renews_end IS NULL AND ${reminderHours}::int > 0`
    },
  },
  {
    name: 'create-renewals',
    cron: '*/10 * * * *',
    run: () => createRenewals(db),
    dueDates: async () => {
      const { daysAhead } = await settings.read(db, 'renewals')
      return sql`SELECT subscription_end_date - interval '24 hours' * ${daysAhead}::int AS at FROM users WHERE subscription_status = 'active' AND ${daysAhead}::int > 0`
    },
  },
]
