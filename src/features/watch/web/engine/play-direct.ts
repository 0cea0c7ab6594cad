import type { OpenedPlay } from '../../contract.ts'
import { avoidHost, isHostAvoided } from './avoided-hosts.ts'
import { type DirectLoader, openDirectLoader } from './direct-loader.ts'
import type { PlayAddress, StreamEngine, StreamOptions } from './stream-types.ts'

type Opened = Pick<OpenedPlay, 'id' | 'generation' | 'address'> & { direct: string }

/**
 * Plays a stream from the server of the panel. If that fails at any time, it continues with `address` on this site, without a message. Tells this site every
 * 20 seconds that it plays and what it loaded; when the play has ended there, it stops and calls `onFail`, so that the page asks why. When what it loaded
 * contains credentials, it also continues on this site.
 */
export async function playDirect(
  video: HTMLVideoElement,
  { id, generation, address, direct }: Opened,
  options: StreamOptions,
  play: PlayAddress,
): Promise<StreamEngine> {
  const { host } = new URL(direct)
  /** Returns the status, 0 if there was no answer, and whether the page may go on loading from the panel. */
  const tell = (sign: { relayed?: true; loaded?: string[] }): Promise<{ status: number; mayGoOn: boolean }> =>
    fetch(`/api/plays/${id}/alive`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ generation, ...sign }),
    }).then(
      async (response) => {
        const { status } = response
        const { direct = true } = status === 200 ? ((await response.json()) as { direct?: boolean }) : {}
        // What this site cannot read, it cannot check.
        return { status, mayGoOn: direct && status !== 400 && status !== 413 }
      },
      () => ({ status: 0, mayGoOn: true }),
    )
  if (isHostAvoided(host)) {
    void tell({ relayed: true })
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
  const onSign = async () => {
    const { status, mayGoOn } = await tell({ loaded: loader?.takeLoaded() ?? [] })
    if (!mayGoOn) {
      avoidHost(host)
      return continueHere()
    }
    // Only while it plays from the panel: on this site, the stream itself shows whether the play has ended.
    if ((status !== 404 && status !== 401) || isStopped || !loader) return
    close()
    options.onFail('network')
  }
  /** Continues on this site. The picture stays until the first one from there. */
  const continueHere = async () => {
    if (isStopped || !loader) return
    close()
    if (!hasLoaded) avoidHost(host)
    void tell({ relayed: true })
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
  loader = openDirectLoader(`/direct/${id}/loader.js`, () => void onSign())
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
