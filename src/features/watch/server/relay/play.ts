import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { LineToWatch } from '../plays/line-to-watch.ts'

export type RelayContext = { db: Db; config: Config; log: Pick<Logger, 'info' | 'warn'> }
export type Play = {
  id: string
  userId: number
  generation: number
  openedAt: string
  line: LineToWatch
  channelId: number
  stream: string
  isTransport: boolean
  /** A recording: where it begins, and the end of its program; null for the live stream. In milliseconds. */
  recording: { at: number; to: number } | null
}
