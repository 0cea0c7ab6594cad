import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { confirmWaiting } from './service/automation/confirm-by-rule.ts'
import { reopenSetAside } from './service/decide-payment.ts'
import { rematchOpen } from './service/match-payment.ts'
import { releaseHolds } from './service/release-holds.ts'

const maxRematched = 200

export const jobs = (db: Db): Job[] => [
  { name: 'release-held-payments', cron: '* * * * *', run: () => releaseHolds(db) },
  { name: 'confirm-payments-by-rule', cron: '* * * * *', run: () => confirmWaiting(db) },
  { name: 'rematch-payments', cron: '* * * * *', run: () => rematchOpen(db, maxRematched) },
  { name: 'wake-set-aside-payments', cron: '*/10 * * * *', run: () => reopenSetAside(db) },
]
