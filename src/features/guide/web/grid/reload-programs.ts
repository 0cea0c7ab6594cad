import type { QueryClient } from '@tanstack/react-query'
import { callOf } from '#web/data.ts'
import { type Guide, getGuide } from '../../contract.ts'

/** The first part of the query keys under which the grid combines responses of `guideQuery`. */
export const gridKey = 'guide chunks'

/** Loads the programs of a channel that had none, after its listings were stored. Updates each cached response of `guideQuery` whose time range is not over. */
export async function reloadPrograms(client: QueryClient, channelId: number): Promise<void> {
  const loaded = client.getQueriesData<Guide>({ queryKey: [getGuide.id] })
  await Promise.all(
    loaded.map(async ([key, guide]) => {
      if (!guide?.rows.some(([id, programs]) => id === channelId && programs.length === 0)) return
      const { hours } = (key[1] as { query: { hours: number } }).query
      if (Date.parse(guide.from) + hours * 3_600_000 < Date.now()) return
      const input = { query: { from: guide.from, hours, ids: String(channelId) } }
      const [row] = (await callOf(client)(getGuide, input)).rows
      if (row)
        client.setQueryData(key, {
          ...guide,
          rows: guide.rows.map((before) => (before[0] === channelId ? row : before)),
        })
    }),
  )
  await client.invalidateQueries({ queryKey: [gridKey] })
}
