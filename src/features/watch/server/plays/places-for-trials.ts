import type { Config } from '#server/config.ts'
import { limits } from '#server/limits.ts'

/**
 * Whether a process has no slot for another request from a trial while it handles `running` stream requests. The last slots of `STREAM_MOST` are kept for paid
 * lines.
 */
export const isFullForTrials = (running: number, { streamMost }: Pick<Config, 'streamMost'>): boolean =>
  running >= Math.ceil(streamMost * limits.relay.trialShare)
