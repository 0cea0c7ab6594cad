import { useState } from 'react'
import type { PlayState } from '../use-play.ts'

type Stopped = Extract<PlayState, { phase: 'stopped' }>

/**
 * Returns why nothing plays. The reason stays the same during an automatic retry, so that its message stays in the page and keeps the focus. `retry` starts an
 * automatic retry.
 */
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
