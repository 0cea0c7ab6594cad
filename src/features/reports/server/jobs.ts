import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { groupReports } from './service/cases/group-reports.ts'

/** Adds reports without a case to cases, such as reports from earlier versions. */
export const jobs = (db: Db): Job[] => [{ name: 'group-reports', cron: '* * * * *', run: () => groupReports(db) }]
