import type { OpenedPlay } from '../../contract.ts'
import { avoidHost, isHostAvoided } from './avoided-hosts.ts'
import { type DirectLoader, openDirectLoader } from './direct-loader.ts'
import type { PlayAddress, StreamEngine, StreamOptions } from './stream-types.ts'

type Opened = Pick<OpenedPlay, 'id' | 'generation' | 'address'> & { direct: string }

/**
 * Plays a stream from the server of the panel. If that fails at any time, playback continues with `address` on this site, without a message. Every 20 seconds,
 * a heartbeat reports to this site that the stream plays and what was loaded. If the play has ended, playback stops and `onFail` is called, so that the page
 * asks for the reason. If what was loaded contains credentials, playback also continues on this site.
 */
export async function playDirect(
  video: HTMLVideoElement,
  { id, generation, address, direct }: Opened,
  options: StreamOptions,
  play: PlayAddress,
): Promise<StreamEngine> {
  const { host } = new URL(direct)
  /** Sends a heartbeat. Returns the status, or 0 if there was no response, and whether the page may continue to load from the panel. */
  const sendHeartbeat = (heartbeat: {
    relayed?: true
    loaded?: string[]
  }): Promise<{ status: number; mayContinue: boolean }> =>
    fetch(`/api/plays/${id}/alive`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ generation, ...heartbeat }),
    }).then(
      async (response) => {
        const { status } = response
        const { direct = true } = status === 200 ? ((await response.json()) as { direct?: boolean }) : {}
        // If this site rejects the heartbeat, it has not checked what was loaded.
        return { status, mayContinue: direct && status !== 400 && status !== 413 }
      },
      () => ({ status: 0, mayContinue: true }),
    )
  if (isHostAvoided(host)) {
    void sendHeartbeat({ relayed: true })
    return play(video, address, options)
  }
  let engine: StreamEngine | undefined
  let loader: DirectLoader | undefined
  let isStopped = false
  let hasLoaded = false
  const close = () => {
    loader?.close()
    loader = undefined
  }
  const onHeartbeat = async () => {
    const { status, mayContinue } = await sendHeartbeat({ loaded: loader?.takeLoaded() ?? [] })
    if (!mayContinue) {
      avoidHost(host)
      return continueHere()
    }
    // Only while the stream plays from the panel. On this site, the stream requests themselves show whether the play has ended.
    if ((status !== 404 && status !== 401) || isStopped || !loader) return
    close()
    options.onFail('network')
  }
  /** Continues on this site. The last picture stays until the first one arrives from this site. */
  const continueHere = async () => {
    if (isStopped || !loader) return
    close()
    if (!hasLoaded) avoidHost(host)
    void sendHeartbeat({ relayed: true })
    const wasPaused = video.paused
    const { startAt } = options
    const relayed = await play(video, address, {
      ...options,
      startAt: startAt === undefined ? undefined : video.currentTime || startAt,
      replaces: engine ?? options.replaces,
    })
    if (isStopped) return relayed.stop()
    engine = relayed
    // A new source pauses the video.
    if (!wasPaused) void video.play().catch(() => undefined)
  }
  loader = openDirectLoader(`/direct/${id}/loader.js`, () => void onHeartbeat())
  engine = await play(video, address, {
    ...options,
    direct: { address: direct, loader: loader.loader },
    onBitrate: (bitrate) => {
      hasLoaded = true
      options.onBitrate(bitrate)
    },
    onFail: (failure) => {
      if (failure === 'codec') options.onFail(failure)
      else void continueHere()
    },
  })
  return {
    stop: () => {
      isStopped = true
      close()
      engine?.stop()
    },
    setAudio: (audioId) => engine?.setAudio(audioId),
    setLevel: (levelId) => engine?.setLevel(levelId),
  }
}
