import type Hls from 'hls.js'
import workerPath from 'hls.js/dist/hls.worker.js?url'

/** `network`: the stream cannot be read. `codec`: this browser has no decoder for it. */
export type EngineFailure = 'network' | 'codec'
type Callbacks = { onFail: (failure: EngineFailure) => void; onBitrate: (bitsPerSecond: number) => void }
const recoverEveryMs = 5_000
const mostRecoveries = 2

/**
 * Plays an HLS stream in a video element. Returns a function that stops it and closes its connections. hls.js is used wherever the browser has
 * Media Source Extensions: some browsers that play HLS themselves fail on some streams. Only others, such as older iPhones, play it natively.
 */
export async function playStream(video: HTMLVideoElement, address: string, callbacks: Callbacks): Promise<() => void> {
  const { default: Engine } = await import('hls.js')
  const onError = () => callbacks.onFail(video.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'codec')
  const empty = () => {
    video.removeEventListener('error', onError)
    video.removeAttribute('src')
    video.load()
  }
  if (!Engine.isSupported()) {
    video.addEventListener('error', onError)
    video.src = address
    return empty
  }
  const hls = new Engine({
    workerPath,
    lowLatencyMode: false,
    liveSyncDurationCount: 3,
    liveMaxLatencyDurationCount: 10,
    maxLiveSyncPlaybackRate: 1.05,
    backBufferLength: 60,
    maxBufferLength: 20,
    maxMaxBufferLength: 60,
    capLevelToPlayerSize: true,
    fragLoadPolicy: {
      default: {
        maxTimeToFirstByteMs: 8_000,
        maxLoadTimeMs: 60_000,
        timeoutRetry: { maxNumRetry: 2, retryDelayMs: 0, maxRetryDelayMs: 0 },
        errorRetry: { maxNumRetry: 3, retryDelayMs: 1_000, maxRetryDelayMs: 4_000 },
      },
    },
  })
  handleErrors(hls, Engine, callbacks)
  hls.loadSource(address)
  hls.attachMedia(video)
  return () => {
    hls.destroy()
    empty()
  }
}

function handleErrors(
  hls: Hls,
  { Events, ErrorTypes, ErrorDetails }: typeof Hls,
  { onFail, onBitrate }: Callbacks,
): void {
  let recoveries = 0
  let recoveredAt = Number.NEGATIVE_INFINITY
  hls.on(Events.FRAG_LOADED, () => onBitrate(hls.bandwidthEstimate))
  hls.on(Events.ERROR, (_event, { fatal, type, details }) => {
    const lacksCodec =
      details === ErrorDetails.BUFFER_ADD_CODEC_ERROR || details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR
    if (lacksCodec && fatal) return onFail('codec')
    if (!fatal) return
    const now = performance.now()
    if (type === ErrorTypes.MEDIA_ERROR && recoveries < mostRecoveries && now - recoveredAt > recoverEveryMs) {
      recoveries++
      recoveredAt = now
      hls.recoverMediaError()
      return
    }
    onFail(type === ErrorTypes.MEDIA_ERROR ? 'codec' : 'network')
  })
}
