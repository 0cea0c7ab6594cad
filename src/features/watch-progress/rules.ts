import { durationText } from '#features/guide/rules.ts'
import type { Instant } from '#kit/dates.ts'

/** What progress is kept of: programs of the archive. */
export const progressKinds = ['catchup'] as const
export type ProgressKind = (typeof progressKinds)[number]

/** The most rows of a customer. The one that was watched the longest time ago is deleted first. */
export const maxProgress = 200
/** How often a player sends its position, in milliseconds. */
export const sendEveryMs = 15_000
/** A position is ignored this long after the last one that was stored, in seconds; a little less than `sendEveryMs`, because requests may be delayed. */
export const storeSeconds = 12
/** Unless it is this far from the last one: the viewer moved in the program. In milliseconds. */
export const jumpMs = 20_000
/** A player does not send positions before this one, in milliseconds: a viewer who has just opened a program has not begun to watch it. */
export const leastPositionMs = 10_000
/** The longest program, in milliseconds. */
export const maxLengthMs = 24 * 3_600_000

/** How far before its position a program continues, in milliseconds. */
const rewindMs = 5_000
/** A program counts as watched within its last minute, and after 95 % of it. */
const lastMs = 60_000
const doneFraction = 0.95

export const isDone = (positionMs: number, lengthMs: number): boolean =>
  positionMs >= lengthMs - lastMs || positionMs > lengthMs * doneFraction

/** Where a program continues that was left at `positionMs`. */
export const resumePosition = (positionMs: number): number => Math.max(0, positionMs - rewindMs)

type ProgramOfChannel = { channelId: number; startsAt: Instant }
/** Names a program of the archive: the id of its channel, and its start as shown to customers in milliseconds since 1970. */
export const progressRef = ({ channelId, startsAt }: ProgramOfChannel): string => `${channelId}-${Date.parse(startsAt)}`

const refShape = /^([1-9]\d{0,9})-([1-9]\d{11,12})$/
const maxChannelId = 2_147_483_647
const centuryEnds = Date.UTC(2100, 0)
/** The program that a `progressRef` names; undefined if it is none of this century. */
export function parseProgressRef(ref: string): ProgramOfChannel | undefined {
  const [, channelId, startsAt] = refShape.exec(ref) ?? []
  if (Number(channelId) > maxChannelId || !(Number(startsAt) < centuryEnds)) return undefined
  return { channelId: Number(channelId), startsAt: new Date(Number(startsAt)).toISOString() }
}

type Watched = { lengthMs: number; positionMs: number }
/** `19 min left`. */
export const leftText = ({ lengthMs, positionMs }: Watched): string =>
  `${durationText(Math.max(1, Math.ceil((lengthMs - positionMs) / 60_000)))} left`
