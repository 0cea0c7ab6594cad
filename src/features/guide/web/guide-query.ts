import { query } from '#web/data.ts'
import { getGuide, searchGuide } from '../contract.ts'
import { guideMost } from '../rules.ts'
import { halfHour } from '../view-rules.ts'

const staleMs = 300_000
/** The programs of at most 40 channels in at most 6 hours from an instant in milliseconds. */
export const guideQuery = (ids: readonly number[], from: number, hours: number) => ({
  ...query(getGuide, { query: { from: new Date(from).toISOString(), hours, ids: ids.join(',') } }),
  staleTime: staleMs,
})

/** The programs that match a search and have not ended at `at`, in milliseconds. */
export const searchQuery = (q: string, at: number) =>
  query(searchGuide, { query: { q, from: new Date(halfHour(at)).toISOString() } })

/** How many hours the list reads for a time: the program that runs then, and the next one. */
export const listHours = 4
export const chunkHours = guideMost.hours
