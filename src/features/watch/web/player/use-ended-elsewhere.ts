import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { query } from '#web/data.ts'
import { getPlay } from '../../contract.ts'
import { isOfOtherTab } from '../play-calls.ts'
import type { PlayState, StopReason } from '../use-play.ts'

/**
 * Calls `onEnded` when another device, another tab or the server ended the play. The page fetches the state of the play again when its WebSocket reports a
 * change.
 */
export function useEndedElsewhere(
  state: PlayState,
  onEnded: (reason: StopReason, takenBy: string | null) => void,
): void {
  const playId = state.phase === 'playing' ? state.playId : undefined
  const generation = state.phase === 'playing' ? state.generation : undefined
  const { data } = useQuery({ ...query(getPlay, { params: { playId: playId ?? '' } }), enabled: playId !== undefined })
  // An earlier state of the play may still be cached.
  const isLater = data && generation && data.generation > generation
  const reason = playId === undefined ? null : (data?.why ?? (isLater && isOfOtherTab(data) ? 'other_tab' : null))
  const takenBy = data?.takenBy ?? null
  useEffect(() => {
    if (reason) onEnded(reason, takenBy)
  }, [reason, takenBy, onEnded])
}
