import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Channel } from '#features/catalog/contract.ts'
import { type GuideProgram, guideRequestLimits, programOf } from '../../rules.ts'
import { chunkHours, guideQuery } from '../guide-query.ts'
import { gridKey } from './reload-programs.ts'

const chunkMs = chunkHours * 3_600_000
type Range = { from: number; to: number }
export type GridPrograms = {
  byChannel: ReadonlyMap<number, GuideProgram[]>
  /** Whether the programs of a channel are loaded for a range, in milliseconds. */
  isLoaded: (channelId: number, from: number, to: number) => boolean
  error: Error | null
  refetch: () => void
}

/**
 * The programs of the visible channels and hours. They are loaded in chunks of 40 channels and 6 hours from the start of the day. A channel is missing
 * until its chunk is loaded. When the browser is idle, the hours that follow are loaded too.
 */
export function useGridPrograms(
  channels: readonly Channel[],
  [first, last]: [number, number],
  day: Range,
  shown: Range,
): GridPrograms {
  const chunks: { ids: number[]; from: number }[] = []
  const firstBlock = Math.max(0, Math.floor((shown.from - day.from) / chunkMs))
  for (let at = Math.floor(first / guideRequestLimits.channels); at * guideRequestLimits.channels <= last; at++) {
    const ids = channels
      .slice(at * guideRequestLimits.channels, (at + 1) * guideRequestLimits.channels)
      .map(({ id }) => id)
    for (let block = firstBlock; ids.length > 0 && day.from + block * chunkMs < Math.min(shown.to, day.to); block++)
      chunks.push({ ids, from: day.from + block * chunkMs })
  }
  const { data, error, refetch } = useQuery({
    queryKey: [gridKey, day.from, chunks.map(({ ids, from }) => `${ids[0]} ${from}`)],
    queryFn: ({ client }) =>
      Promise.all(chunks.map(({ ids, from }) => client.fetchQuery(guideQuery(ids, from, chunkHours)))),
    placeholderData: (before) => before,
  })
  const client = useQueryClient()
  const lastChunk = chunks.at(-1)
  const nextFrom = lastChunk && lastChunk.from + chunkMs < day.to ? lastChunk.from + chunkMs : undefined
  const nextIds = lastChunk?.ids.join(',')
  const isLoaded = data !== undefined
  useEffect(() => {
    if (!isLoaded || nextFrom === undefined || !nextIds) return
    const next = guideQuery(nextIds.split(',').map(Number), nextFrom, chunkHours)
    const whenIdle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 500))
    whenIdle(() => void client.prefetchQuery(next))
  }, [isLoaded, nextFrom, nextIds, client])
  return useMemo(() => {
    const byChannel = new Map<number, GuideProgram[]>()
    const loaded = new Set<string>()
    for (const { from, rows } of data ?? [])
      for (const [id, programs] of rows) {
        loaded.add(`${id} ${Math.floor((Date.parse(from) - day.from) / chunkMs)}`)
        const known = byChannel.get(id) ?? []
        // A program that runs across two chunks is in both.
        const last = known.at(-1)?.startsAt ?? ''
        const added = programs.map((program) => programOf(Date.parse(from), program))
        byChannel.set(id, [...known, ...added.filter(({ startsAt }) => startsAt > last)])
      }
    return {
      byChannel,
      isLoaded: (id: number, from: number, to: number) =>
        [Math.max(from, day.from), Math.min(to, day.to) - 1]
          .map((at) => Math.floor((at - day.from) / chunkMs))
          .every((block) => loaded.has(`${id} ${block}`)),
      error: data ? null : error,
      refetch: () => void refetch(),
    }
  }, [data, error, refetch, day])
}
