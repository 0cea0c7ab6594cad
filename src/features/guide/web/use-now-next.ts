import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '#web/data.ts'
import { useNow } from '#web/ui/time/use-now.ts'
import { getGuideNow } from '../contract.ts'
import { type NowNext, nowAndNext, programOf } from '../rules.ts'

const refetchMs = 60_000

export type NowNextOfChannels = {
  /** The current time, in milliseconds. */
  at: number
  readAt: string | null
  /** The names under which viewers see the sources in use. */
  sources: readonly string[]
  channels: ReadonlyMap<number, NowNext>
}

/** Returns what is on now and next on every channel with listings; undefined until it is loaded. */
export function useNowNext(): NowNextOfChannels | undefined {
  const { data, dataUpdatedAt } = useQuery({ ...query(getGuideNow), refetchInterval: refetchMs })
  const at = useNow()?.getTime() ?? dataUpdatedAt
  return useMemo(
    () =>
      data && {
        at,
        readAt: data.readAt,
        sources: data.sources,
        channels: new Map(
          data.rows.map(([id, programs]) => [
            id,
            nowAndNext(
              programs.map((program) => programOf(0, program)),
              at,
            ),
          ]),
        ),
      },
    [data, at],
  )
}
