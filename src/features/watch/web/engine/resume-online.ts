import type Hls from 'hls.js'

/** The part of hls.js that loads. */
type Loading = Pick<Hls, 'loadingEnabled' | 'stopLoad' | 'startLoad'>

/**
 * Loads again as soon as the browser is online, until the returned function is called. hls.js looks for that once a second, and a request of before may
 * wait up to ten seconds on a connection that no longer exists. Has no effect before a stream has begun to load and after it was lost.
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
