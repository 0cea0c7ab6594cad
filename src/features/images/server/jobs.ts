import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { limits } from '#server/limits.ts'
import { removeUnusedImages } from './image-store.ts'

/** Removes images that were never used or are no longer used. */
export const jobs = (db: Db): Job[] => [
  { name: 'remove-unused-images', cron: '41 * * * *', run: () => removeUnusedImages(db, limits.upload.unusedHours) },
]
