import { query } from '#web/data.ts'
import { getGuide, searchGuide } from '../contract.ts'
import { guideRequestLimits } from '../rules.ts'
import { startOfHalfHour } from '../view-rules.ts'

const staleMs = 300_000
/** The programs of at most 40 channels in at most 6 hours from an instant in milliseconds. */
export const guideQuery = (ids: readonly number[], from: number, hours: number) => ({
  ...query(getGuide, { query: { from: new Date(from).toISOString(), hours, ids: ids.join(',') } }),
  staleTime: staleMs,
})

/** The programs that match a search and have not ended at `at`, in milliseconds. */
export const searchQuery = (q: string, at: number) =>
  query(searchGuide, { query: { q, from: new Date(startOfHalfHour(at)).toISOString() } })

/** How many hours of programs the list loads for a time: usually enough for the program that is on then and the next one. */
export const listHours = 4
/** How many hours of programs the grid loads with one request. */
export const chunkHours = guideRequestLimits.hours
