import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { endAnnouncements } from './service/publish-announcement.ts'
import { sendAnnouncements } from './service/send-announcements.ts'

export const jobs = (db: Db): Job[] => [
  {
    name: 'end-announcements',
    cron: '* * * * *',
    run: () => endAnnouncements(db),
    dueDates: () =>
      sql`SELECT site_until AS at FROM announcements WHERE state = 'published' AND on_site AND NOT ended AND site_until IS NOT NULL`,
  },
]

/** The job that sends the emails. It needs the configuration with the installation's key, to encrypt the unsubscribe links. */
export const sendJob = (sender: { db: Db; config: Config }): Job => ({
  name: 'send-announcements',
  cron: '* * * * *',
  run: () => sendAnnouncements(sender),
})
