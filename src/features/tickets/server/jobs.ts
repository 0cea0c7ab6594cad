import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { limits } from '#server/limits.ts'
import { removeUnsentPictures } from './service/pictures/remove-unsent.ts'

/** Removes uploaded pictures that were never sent with a message. */
export const jobs = (db: Db): Job[] => [
  {
    name: 'remove-unsent-pictures',
    cron: '17 * * * *',
    run: () => removeUnsentPictures(db, limits.ticketPicture.unsentHours),
  },
]
