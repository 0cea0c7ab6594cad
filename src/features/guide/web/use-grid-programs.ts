import { useQueries } from '@tanstack/react-query'
import type { Channel } from '#features/catalog/contract.ts'
import { type GuideProgram, guideMost, programOf } from '../rules.ts'
import { chunkHours, guideQuery } from './guide-query.ts'

const chunkMs = chunkHours * 3_600_000
type Range = { from: number; to: number }
export type GridPrograms = {
  of: ReadonlyMap<number, GuideProgram[]>
  /** Whether the programs of a channel are loaded for a range, in milliseconds. */
  isLoaded: (channelId: number, from: number, to: number) => boolean
  error: Error | null
  refetch: () => void
}

/**
 * The programs of the visible channels and hours, by channel. They are read in chunks of 40 channels and 6 hours from the start of the day. A channel
 * whose chunk is not loaded yet is missing.
 */
export function useGridPrograms(
  channels: readonly Channel[],
  [first, last]: [number, number],
  day: Range,
  shown: Range,
): GridPrograms {
  const chunks: { ids: number[]; from: number }[] = []
  const firstBlock = Math.max(0, Math.floor((shown.from - day.from) / chunkMs))
  for (let at = Math.floor(first / guideMost.channels); at * guideMost.channels <= last; at++) {
    const ids = channels.slice(at * guideMost.channels, (at + 1) * guideMost.channels).map(({ id }) => id)
    for (let block = firstBlock; ids.length > 0 && day.from + block * chunkMs < Math.min(shown.to, day.to); block++)
      chunks.push({ ids, from: day.from + block * chunkMs })
  }
  return useQueries({
    queries: chunks.map(({ ids, from }) => guideQuery(ids, from, chunkHours)),
    combine: (results) => {
      const of = new Map<number, GuideProgram[]>()
      const loaded = new Set<string>()
      for (const { data } of results)
        for (const [id, programs] of data?.rows ?? []) {
          loaded.add(`${id} ${Math.floor((Date.parse(data!.from) - day.from) / chunkMs)}`)
          const known = of.get(id) ?? []
          // A program that runs across two chunks is in both.
          const last = known.at(-1)?.startsAt ?? ''
          const added = programs.map((program) => programOf(Date.parse(data!.from), program))
          of.set(id, [...known, ...added.filter(({ startsAt }) => startsAt > last)])
        }
      return {
        of,
        isLoaded: (id, from, to) => {
          const blocks = [Math.max(from, day.from), Math.min(to, day.to) - 1].map((at) =>
            Math.floor((at - day.from) / chunkMs),
          )
          return blocks.every((block) => loaded.has(`${id} ${block}`))
        },
        error: of.size === 0 ? (results.find(({ error }) => error)?.error ?? null) : null,
        refetch: () => {
          for (const result of results) void result.refetch()
        },
      }
    },
  })
}
