import type { HlsConfig } from 'hls.js'

/** `network`: the stream cannot be loaded. `codec`: this browser cannot decode it. `frozen`: the playlist no longer changes. */
export type EngineFailure = 'network' | 'codec' | 'frozen'
/**
 * A choice in a menu of the player. `detail` is shown beside the label; `key` is stored on this device and identifies the choice in other streams.
 * `bitrate`: what a quality needs, in bits per second.
 */
export type Choice = { id: number; label: string; detail: string; key: string; bitrate?: number }
/** What the stream offers. `levelId` -1 is the automatic choice. `height` and `bitrate` (in bits per second) are those of the current level. */
export type StreamChoices = {
  audio: Choice[]
  audioId: number
  levels: Choice[]
  levelId: number
  height: number
  bitrate: number
}
export type StreamEngine = { stop: () => void; setAudio: (id: number) => void; setLevel: (id: number) => void }
export type StreamOptions = {
  /** Where a recording starts, in seconds; undefined for a live stream. */
  startAt: number | undefined
  /** The engine that shows the last picture. It is stopped when this engine has loaded its playlist, and stays if the playlist cannot be loaded. */
  replaces: StreamEngine | undefined
  /** Whether the stream is still wanted. */
  isWanted: () => boolean
  onFail: (failure: EngineFailure) => void
  onBitrate: (bitsPerSecond: number) => void
  onChoices: (choices: StreamChoices) => void
  /** If set, hls.js loads the stream from this address with this loader instead. */
  direct?: { address: string; loader: HlsConfig['loader'] }
}
/** Plays an address in a video element. */
export type PlayAddress = (video: HTMLVideoElement, address: string, options: StreamOptions) => Promise<StreamEngine>
