const hlsType = 'application/vnd.apple.mpegurl'
/** A stream that has shown nothing by then will not. */
const patienceMs = 15_000

interface Watch {
  onReady: () => void
  onFail: () => void
}

/**
 * Shows a preview in a video element and says once how it went; the answer ends it. HLS runs natively where the browser knows it;
 * elsewhere hls.js is fetched, then and only then.
 */
export function showPreview(
  video: HTMLVideoElement,
  address: string,
  isStream: boolean,
  { onReady, onFail }: Watch,
): () => void {
  let destroy: (() => void) | undefined
  const end = () => {
    clearTimeout(patience)
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
    clearTimeout(patience)
    onReady()
  }
  const patience = setTimeout(fail, patienceMs)
  video.addEventListener('loadeddata', ready, { once: true })
  video.addEventListener('error', fail)

  if (!isStream || video.canPlayType(hlsType)) video.src = address
  else
    import('hls.js').then(({ default: Hls }) => {
      if (ended) return
      if (!Hls.isSupported()) return fail()
      // Its worker would come from a blob, which the policy of our pages refuses; a short preview needs none.
      const hls = new Hls({ enableWorker: false })
      destroy = () => hls.destroy()
      hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && fail())
      hls.loadSource(address)
      hls.attachMedia(video)
    }, fail)

  return () => {
    end()
    destroy?.()
    video.removeAttribute('src')
    video.load()
  }
}
