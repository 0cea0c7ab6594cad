import type Hls from 'hls.js'

/** The part of hls.js that controls loading. */
type Loading = Pick<Hls, 'loadingEnabled' | 'stopLoad' | 'startLoad'>

/**
 * Restarts loading whenever the browser goes online, until the returned function is called. On its own, hls.js checks for that only once a second, and an
 * earlier request may wait up to ten seconds on a connection that no longer exists. Has no effect before a stream has begun to load, and after it was lost.
 */
export function resumeWhenOnline(hls: Loading): () => void {
  const resume = () => {
    if (!hls.loadingEnabled) return
    hls.stopLoad()
    hls.startLoad()
  }
  addEventListener('online', resume)
  return () => removeEventListener('online', resume)
}
