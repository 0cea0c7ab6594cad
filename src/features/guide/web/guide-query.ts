import { searchArchive } from '#features/watch/contract.ts'
import { query } from '#web/data.ts'
import { getGuide, searchGuide } from '../contract.ts'
import { guideRequestLimits } from '../rules.ts'
import { startOfHalfHour } from '../view-rules.ts'
import type { GuideSearch } from './guide-search.ts'

const staleMs = 300_000
/** Returns the query for the programs of at most 40 channels. `from`: the start, in milliseconds. `hours`: at most 6. */
export const guideQuery = (ids: readonly number[], from: number, hours: number) => ({
  ...query(getGuide, { query: { from: new Date(from).toISOString(), hours, ids: ids.join(',') } }),
  staleTime: staleMs,
})

/**
 * Returns the two queries of a search at `at`, in milliseconds: `current` finds programs that have not ended, `ended` finds those in the archive. With
 * `day`, the start and end of a day of the guide, they find only programs of that day. A query that can find nothing on that day is disabled.
 */
export function searchQueries(
  { q = '', category }: GuideSearch,
  day: { from: number; to: number } | undefined,
  at: number,
) {
  const wanted = { q, ...(category !== undefined && category !== 'all' && { category }) }
  const text = (time: number) => new Date(time).toISOString()
  const to = day && { to: text(day.to) }
  return {
    current: {
      ...query(searchGuide, { query: { ...wanted, from: text(Math.max(startOfHalfHour(at), day?.from ?? 0)), ...to } }),
      enabled: day === undefined || day.to > at,
    },
    ended: {
      ...query(searchArchive, { query: { ...wanted, ...(day && { from: text(day.from) }), ...to } }),
      enabled: day === undefined || day.from < at,
    },
  }
}

/** How many hours of programs the list loads for a time: usually enough for the program that is on then and the next one. */
export const listHours = 4
/** How many hours of programs the grid loads with one request. */
export const chunkHours = guideRequestLimits.hours
