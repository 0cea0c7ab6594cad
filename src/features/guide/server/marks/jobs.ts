import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { reminderMinutes } from '../../rules.ts'
import { remindPrograms } from './remind-programs.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'remind-programs',
    cron: '* * * * *',
    run: () => remindPrograms(db),
    dueDates: () =>
      sql`SELECT starts_at - interval '1 minute' * ${reminderMinutes}::int AS at FROM program_marks WHERE reminder AND reminded_at IS NULL`,
  },
]
