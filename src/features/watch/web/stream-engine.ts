import type Hls from 'hls.js'
import workerPath from 'hls.js/dist/hls.worker.js?url'
import type { OpenedPlay } from '../contract.ts'
import { addAirPlaySource } from './engine/airplay-source.ts'
import { waitBeforeTry } from './engine/reconnect-rules.ts'
import { resumeWhenOnline } from './engine/resume-online.ts'
import type { EngineFailure, PlayAddress, StreamChoices, StreamEngine, StreamOptions } from './engine/stream-types.ts'
import { languageName } from './language-name.ts'

/** How many seconds are skipped at a damaged place. Most streams have a key frame every two seconds. */
const skippedSeconds = 2
/** How many times in a row a stream is recovered if it then plays for less than a second each time. */
const maxRecoveries = 3
/** A live channel counts as frozen after its playlist was read this many times without a change. hls.js then reads the playlist twice per segment duration. */
const maxUnchanged = 10
const nothing: StreamEngine = { stop: () => undefined, setAudio: () => undefined, setLevel: () => undefined }
const noChoices: StreamChoices = { audio: [], audioId: -1, levels: [], levelId: -1, height: 0, bitrate: 0 }

/** Plays the stream of a play: directly from the panel if that is permitted, otherwise from this site. */
export async function playStream(
  video: HTMLVideoElement,
  { direct, ...opened }: Pick<OpenedPlay, 'id' | 'generation' | 'address' | 'direct'>,
  options: StreamOptions,
): Promise<StreamEngine> {
  if (direct && (await import('hls.js')).default.isSupported())
    return (await import('./engine/play-direct.ts')).playDirect(video, { ...opened, direct }, options, playAddress)
  return playAddress(video, opened.address, options)
}

/**
 * Plays an HLS stream in a video element. It uses hls.js wherever the browser has Media Source Extensions, because the native HLS support of some browsers
 * fails on some streams. Only other browsers, such as older iPhones, play HLS natively.
 */
const playAddress: PlayAddress = async (video, address, options) => {
  const { default: Engine } = await import('hls.js')
  // Another stream may be attached to the video by now.
  if (!options.isWanted()) return nothing
  const { startAt, direct } = options
  const isRecording = startAt !== undefined
  const onError = () => options.onFail(video.error?.code === MediaError.MEDIA_ERR_NETWORK ? 'network' : 'codec')
  const clearVideo = () => {
    video.removeEventListener('error', onError)
    video.removeAttribute('src')
    // Some TV browsers do not support `replaceChildren`.
    video.textContent = ''
    video.load()
  }
  if (!Engine.isSupported()) {
    options.replaces?.stop()
    video.addEventListener('error', onError)
    video.src = address
    if (startAt) video.addEventListener('loadedmetadata', () => Object.assign(video, { currentTime: startAt }), once)
    options.onChoices(noChoices)
    return { ...nothing, stop: clearVideo }
  }
  const hls = new Engine({
    workerPath,
    ...(direct && { loader: direct.loader }),
    lowLatencyMode: false,
    liveSyncDurationCount: 3,
    // A recording must not jump ahead to its newest segment, because that is not the present.
    liveMaxLatencyDurationCount: isRecording ? Number.POSITIVE_INFINITY : 10,
    // The playlist of a recording does not change while its viewer is paused.
    liveMaxUnchangedPlaylistRefresh: isRecording ? Number.POSITIVE_INFINITY : maxUnchanged,
    maxLiveSyncPlaybackRate: isRecording ? 1 : 1.05,
    startPosition: startAt ?? -1,
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
  const { Events } = Engine
  let isAttached = false
  const onFail = (failure: EngineFailure) => {
    options.onFail(failure)
    if (!isAttached) hls.destroy()
  }
  handleErrors(hls, Engine, { ...options, onFail }, recovery(hls, Engine, video, { onFail }))
  const report = reportChoices(hls, Engine, options.onChoices)
  hls.on(Events.MEDIA_ATTACHED, () => addAirPlaySource(video, address))
  hls.once(Events.DESTROYING, resumeWhenOnline(hls))
  const attach = () => {
    isAttached = true
    hls.attachMedia(video)
  }
  hls.loadSource(direct?.address ?? address)
  const { replaces } = options
  if (!replaces) attach()
  else
    await new Promise<void>((resolve) => {
      hls.once(Events.DESTROYING, () => resolve())
      hls.once(Events.MANIFEST_PARSED, () => {
        if (!options.isWanted()) return hls.destroy()
        replaces.stop()
        attach()
        resolve()
      })
    })
  return {
    stop: () => {
      hls.destroy()
      if (isAttached) clearVideo()
    },
    setAudio: (id) => {
      hls.audioTrack = id
      report()
    },
    setLevel: (id) => {
      hls.nextLevel = id
      report()
    },
  }
}
const once = { once: true }

const channelsOf = (count: string | undefined): string => (count === '6' ? '5.1' : count === '1' ? 'Mono' : 'Stereo')

/** Reports the available choices whenever they change. Returns a function that reports them immediately, before a choice takes effect in the stream. */
function reportChoices(hls: Hls, { Events }: typeof Hls, onChoices: StreamOptions['onChoices']): () => void {
  const report = () =>
    onChoices({
      audio: hls.audioTracks.map(({ id, name, lang = '', characteristics, channels }) => ({
        id,
        label: languageName(lang) ?? name,
        detail: characteristics?.includes('describes-video') ? 'Audio description' : channelsOf(channels),
        key: `${lang}${characteristics?.includes('describes-video') ? ' described' : ''}`,
      })),
      audioId: hls.audioTrack,
      levels: hls.levels
        .map(({ height, bitrate }, id) => ({
          id,
          label: `${height}p`,
          detail: `${(bitrate / 1_000_000).toFixed(1)} Mbps`,
          key: String(height),
          bitrate,
        }))
        .filter(({ key }) => key !== '0')
        .reverse(),
      levelId: hls.manualLevel,
      height: hls.levels[hls.currentLevel]?.height ?? 0,
      bitrate: hls.levels[hls.currentLevel]?.bitrate ?? 0,
    })
  for (const event of [
    Events.MANIFEST_PARSED,
    Events.AUDIO_TRACKS_UPDATED,
    Events.AUDIO_TRACK_SWITCHED,
    Events.LEVEL_SWITCHED,
  ] as const)
    hls.on(event, report)
  return report
}

/**
 * Returns a function that continues playback after a damaged place, where a decoder fails. The function is also called when the browser reports a decoding
 * error. Otherwise hls.js would start again at the same place, and the video would be paused because it gets a new source.
 */
function recovery(
  hls: Hls,
  { Events }: typeof Hls,
  video: HTMLVideoElement,
  { onFail }: Pick<StreamOptions, 'onFail'>,
): () => void {
  let recoveries = 0
  let resumedAt = 0
  const recover = () => {
    const { currentTime, paused } = video
    recoveries = currentTime > resumedAt + 1 ? 1 : recoveries + 1
    if (recoveries > maxRecoveries) return onFail('codec')
    resumedAt = currentTime + skippedSeconds
    hls.recoverMediaError()
    // This runs after hls.js, which starts at the same place or earlier.
    hls.once(Events.MEDIA_ATTACHED, () => {
      hls.startLoad(resumedAt)
      if (!paused) void video.play().catch(() => undefined)
    })
  }
  const onError = () => {
    if (video.error?.code === MediaError.MEDIA_ERR_DECODE) recover()
  }
  video.addEventListener('error', onError)
  hls.once(Events.DESTROYING, () => video.removeEventListener('error', onError))
  return recover
}

function handleErrors(
  hls: Hls,
  { Events, ErrorTypes, ErrorDetails }: typeof Hls,
  { onFail, onBitrate }: Pick<StreamOptions, 'onFail' | 'onBitrate'>,
  recover: () => void,
): void {
  hls.on(Events.FRAG_LOADED, () => onBitrate(hls.bandwidthEstimate))
  hls.on(Events.ERROR, (_event, { fatal, type, details }) => {
    const lacksCodec =
      details === ErrorDetails.BUFFER_ADD_CODEC_ERROR || details === ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR
    if (lacksCodec && fatal) return onFail('codec')
    if (details === ErrorDetails.PLAYLIST_UNCHANGED_ERROR) return onFail('frozen')
    if (!fatal) return
    if (type === ErrorTypes.MEDIA_ERROR) recover()
    else onFail('network')
  })
}

/** Resolves when it is time for this try to open a lost stream again (the first to the fourth) and the browser is online. */
export async function waitToReconnect(tryNumber: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, waitBeforeTry(tryNumber, Math.random())))
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
}
