import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { LineToWatch } from '../plays/line-to-watch.ts'

/** The parts of the app context that the relay needs. */
export type RelayContext = { db: Db; config: Config; log: Pick<Logger, 'info' | 'warn'> }
/** A play, with the data for requesting its stream. */
export type Play = {
  id: string
  userId: number
  generation: number
  openedAt: string
  line: LineToWatch
  channelId: number
  stream: string
  isTransport: boolean
  /** For a recording, the time at which it starts and the end of its program, in milliseconds; null for the live stream. */
  recording: { at: number; to: number } | null
}
