import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'

/**
 * Whether a process has no place for another request of a trial, while it answers `running` requests for streams: the last places of `STREAM_MOST` are
 * kept for paid lines.
 */
export const isFullForTrials = (running: number, { streamMost }: Pick<Config, 'streamMost'>): boolean =>
  running >= Math.ceil(streamMost * limits.relay.trialShare)
