import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { query } from '#web/data.ts'
import { getPlay } from '../../contract.ts'
import type { PlayState, Stop } from '../use-play.ts'

/** Calls `onEnded` when another device or the server ended the play. The page's socket fetches the play again when it changes. */
export function useEndedElsewhere(state: PlayState, onEnded: (stop: Stop, by: string | null) => void): void {
  const playId = state.phase === 'playing' ? state.playId : undefined
  const { data } = useQuery({ ...query(getPlay, { params: { playId: playId ?? '' } }), enabled: playId !== undefined })
  const why = playId === undefined ? null : (data?.why ?? null)
  const by = data?.takenBy ?? null
  useEffect(() => {
    if (why) onEnded(why, by)
  }, [why, by, onEnded])
}
