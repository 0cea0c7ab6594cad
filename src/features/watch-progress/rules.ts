import { durationText } from '#features/guide/rules.ts'
import type { Instant } from '#kit/dates.ts'

/** The kinds of content whose progress is stored: only programs in the archive. */
export const progressKinds = ['catchup'] as const
export type ProgressKind = (typeof progressKinds)[number]

/** The maximum number of programs stored for one customer. The program watched longest ago is deleted first. */
export const maxProgress = 200
/** How often a player sends its position, in milliseconds. */
export const sendEveryMs = 15_000
/** A position is ignored within this many seconds of the last stored one. A little less than `sendEveryMs`, because requests may be delayed. */
export const storeSeconds = 12
/** A position that differs from the last one by more than this is never ignored, because the viewer has jumped within the program. In milliseconds. */
export const jumpMs = 20_000
/** A player does not send positions before this one, in milliseconds: a viewer who has just opened a program has not begun to watch it. */
export const minPositionMs = 10_000
/** The maximum length of a program, in milliseconds. */
export const maxLengthMs = 24 * 3_600_000

/** How far before the stored position playback resumes, in milliseconds. */
const rewindMs = 5_000
/** A program counts as watched within its last minute, and after 95 % of it. */
const lastMs = 60_000
const doneFraction = 0.95

export const isDone = (positionMs: number, lengthMs: number): boolean =>
  positionMs >= lengthMs - lastMs || positionMs > lengthMs * doneFraction

/** Returns where playback resumes if the viewer stopped at `positionMs`. Both are in milliseconds. */
export const resumePosition = (positionMs: number): number => Math.max(0, positionMs - rewindMs)

type ProgramOfChannel = { channelId: number; startsAt: Instant }
/** Returns the reference to a program in the archive: the id of its channel, and its start as shown to customers, in milliseconds since 1970. */
export const progressRef = ({ channelId, startsAt }: ProgramOfChannel): string => `${channelId}-${Date.parse(startsAt)}`

const refShape = /^([1-9]\d{0,9})-([1-9]\d{11,12})$/
const maxChannelId = 2_147_483_647
const centuryEnds = Date.UTC(2100, 0)
/** Parses a `progressRef`. Returns undefined if it is malformed or the start is after this century. */
export function parseProgressRef(ref: string): ProgramOfChannel | undefined {
  const [, channelId, startsAt] = refShape.exec(ref) ?? []
  if (Number(channelId) > maxChannelId || !(Number(startsAt) < centuryEnds)) return undefined
  return { channelId: Number(channelId), startsAt: new Date(Number(startsAt)).toISOString() }
}

type Watched = { lengthMs: number; positionMs: number }
/** Returns the remaining time, such as `19 min left`. */
export const leftText = ({ lengthMs, positionMs }: Watched): string =>
  `${durationText(Math.max(1, Math.ceil((lengthMs - positionMs) / 60_000)))} left`
