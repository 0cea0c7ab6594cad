import { useState } from 'react'
import type { PlayState } from '../use-play.ts'

type Stopped = Extract<PlayState, { phase: 'stopped' }>

/** Why nothing plays, which stays while an automatic retry is pending, so that its message keeps its place and the focus. `retry` starts one. */
export function useAutomaticRetry(state: PlayState, channelId: number, onPlay: () => void) {
  const [retried, setRetried] = useState<{ stopped: Stopped; channelId: number }>()
  if (retried && state.phase !== 'opening' && state !== retried.stopped) setRetried(undefined)
  const isTrying = state.phase === 'opening' && !state.tryNumber && retried?.channelId === channelId
  const stopped = state.phase === 'stopped' ? state : isTrying ? retried?.stopped : undefined
  const retry = () => {
    if (stopped) setRetried({ stopped, channelId })
    onPlay()
  }
  return { isTrying, stopped, retry }
}
