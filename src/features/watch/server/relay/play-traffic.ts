import type { PlayState } from '../plays/play-state.ts'
import { ViewerNetworks } from './viewer-networks.ts'

/**
 * A play that this process serves: its open requests, and the counts for its limits. Whether the play may continue is decided by the table `plays`, not by
 * this.
 */
export type PlayTraffic = {
  /** The latest generation that was opened here. */
  latest: number
  /** How many quick channel changes there were in a row. */
  quickChanges: number
  requests: Map<AbortController, number>
  /** Streams that are opened or cut into segments here, with the generation of each. They do not count as activity of the viewer. */
  packaged: Map<AbortController, number>
  playlistsAt: number[]
  failedAt: number[]
  /** The current address of the playlist of a generation, if the panel moved it. */
  moved: { generation: number; url: string } | undefined
  /** The playlist that was read when the play was opened, for its first request. */
  ready: { generation: number; text: string; at: number } | undefined
  /** The state of the play in the database, as it was read at most `relay.stateMs` ago. */
  state: { value: PlayState; until: number } | undefined
  networks: ViewerNetworks
  usedAt: number
  /** When everything that was sent would have arrived at the maximum rate of a play. In milliseconds. */
  sentUntil: number
  /** When segments were sent without a rate limit, in milliseconds. */
  unlimitedAt: number[]
}

/** Returns the traffic of a play that has no requests yet. */
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
