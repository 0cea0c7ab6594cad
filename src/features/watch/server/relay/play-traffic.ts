import type { PlayState } from '../plays/play-state.ts'
import { ViewerNetworks } from './viewer-networks.ts'

/** A play that this process serves: its open requests and what its limits count. The table decides whether the play may continue. */
export type PlayTraffic = {
  /** The latest generation that was opened here. */
  latest: number
  /** How many changes of the channel followed each other quickly, up to now. */
  quickChanges: number
  requests: Map<AbortController, number>
  /** Streams that are opened or cut into segments here, with the generation of each. They do not count as activity of the viewer. */
  packaged: Map<AbortController, number>
  playlistsAt: number[]
  failedAt: number[]
  /** Where the playlist of a generation is now, if the panel moved it. */
  moved: { generation: number; url: string } | undefined
  /** The playlist that was read when the play was opened, for its first request. */
  ready: { generation: number; text: string; at: number } | undefined
  /** The state of the play in the database, as it was read at most `relay.stateMs` ago. */
  state: { value: PlayState; until: number } | undefined
  networks: ViewerNetworks
  usedAt: number
  /** When everything that was sent would have arrived at the rate of a play, in milliseconds. */
  sentUntil: number
  /** When segments were sent without a limit of their rate, in milliseconds. */
  unlimitedAt: number[]
}

/** The traffic of a play without requests. */
export const newPlayTraffic = (): PlayTraffic => ({
  latest: 0,
  quickChanges: 0,
  requests: new Map(),
  packaged: new Map(),
  playlistsAt: [],
  failedAt: [],
  moved: undefined,
  ready: undefined,
  state: undefined,
  networks: new ViewerNetworks(),
  usedAt: 0,
  sentUntil: 0,
  unlimitedAt: [],
})
