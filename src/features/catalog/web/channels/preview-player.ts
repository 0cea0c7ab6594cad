const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis
const hlsType = 'application/vnd.apple.mpegurl'
/** A stream without a frame after this time has failed. */
const startTimeoutMs = 15_000

interface PreviewCallbacks {
  onReady: () => void
  onFail: () => void
}

/**
 * Plays a preview in a video element and calls `onReady` or `onFail`. Returns a function that stops it. hls.js plays HLS wherever the browser has
 * Media Source Extensions, even if `canPlayType` returns "maybe": some browsers return that and then fail on some streams.
 */
export function playPreview(
  video: HTMLVideoElement,
  url: string,
  isStream: boolean,
  { onReady, onFail }: PreviewCallbacks,
): () => void {
  let destroy: (() => void) | undefined
  const end = () => {
    clearTimeout(timeout)
    video.removeEventListener('loadeddata', ready)
    video.removeEventListener('error', fail)
    ended = true
  }
  let ended = false
  const fail = () => {
    if (ended) return
    end()
    onFail()
  }
  const ready = () => {
    clearTimeout(timeout)
    onReady()
  }
  const timeout = setTimeout(fail, startTimeoutMs)
  video.addEventListener('loadeddata', ready, { once: true })
  video.addEventListener('error', fail)

  if (!isStream || (!hasMediaSource() && video.canPlayType(hlsType))) video.src = url
  else
    import('hls.js').then(({ default: Hls }) => {
      if (ended) return
      if (!Hls.isSupported()) return fail()
      // hls.js starts its worker from a blob, which the Content-Security-Policy blocks. A short preview does not need one.
      const hls = new Hls({ enableWorker: false })
      destroy = () => hls.destroy()
      hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && fail())
      hls.loadSource(url)
      hls.attachMedia(video)
    }, fail)

  return () => {
    end()
    destroy?.()
    video.removeAttribute('src')
    video.load()
  }
}
