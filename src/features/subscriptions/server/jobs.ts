import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { beginSegments, hasNotBegun } from './service/begin-segments.ts'
import { expireSubscriptions } from './service/expire-subscriptions.ts'
import { continueGifts } from './service/gifts/group-gift.ts'
import { remindSubscribers } from './service/remind-subscribers.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'begin-segments',
    cron: '* * * * *',
    run: () => beginSegments(db),
    dueDates: () => sql`SELECT starts_at AS at FROM segments WHERE ${hasNotBegun}`,
  },
  {
    name: 'expire-subscriptions',
    cron: '* * * * *',
    run: () => expireSubscriptions(db),
    dueDates: () => sql`SELECT subscription_end_date AS at FROM users WHERE subscription_status = 'active'`,
  },
  { name: 'continue-gifts', cron: '* * * * *', run: () => continueGifts(db) },
  {
    name: 'remind-subscribers',
    cron: '*/10 * * * *',
    run: () => remindSubscribers(db),
    dueDates: async () => {
      const { reminderDays } = await settings.read(db, 'renewals')
      return sql`SELECT subscription_end_date - interval '24 hours' * day AS at FROM users, unnest(${sql.param(`{${reminderDays.join(',')}}`)}::int[]) day WHERE subscription_status = 'active'`
    },
  },
]
