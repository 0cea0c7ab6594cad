import type { Instant } from '#kit/dates.ts'

/** The maximum number of hours and channels in one guide request. */
export const guideRequestLimits = { hours: 6, channels: 40 } as const
export const searchLength = { min: 2, max: 60 } as const
export const maxSearchResults = 50
/** How many minutes before the start of a program its reminder is sent. */
export const reminderMinutes = 5

/** A program as a tuple. `startMinute` counts from the `from` of the response; `detail` is the second line; `flags` are bits. */
export type CompactProgram = [startMinute: number, minutes: number, title: string, detail: string, flags: number]
/** The bit in `flags` that marks a first showing. */
export const newFlag = 1

export type GuideProgram = {
  startsAt: Instant
  endsAt: Instant
  title: string
  /** Such as `S2 E5 · Low Tide`. */
  detail: string
  isNew: boolean
}

const minuteMs = 60_000

/** Converts a compact program. `from` is the instant that its minutes count from, in milliseconds. */
export function programOf(from: number, [startMinute, minutes, title, detail, flags]: CompactProgram): GuideProgram {
  const start = from + Math.round(startMinute * minuteMs)
  return {
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + Math.round(minutes * minuteMs)).toISOString(),
    title,
    detail,
    isNew: (flags & newFlag) !== 0,
  }
}

type Episode = { season: number | null; episode: number | null; subtitle: string; category: string }
/** Returns the second line of a program: season and episode with the subtitle, or else its category. */
export function detailOf({ season, episode, subtitle, category }: Episode): string {
  const number = [season !== null && `S${season}`, episode !== null && `E${episode}`].filter(Boolean).join(' ')
  return [number, subtitle].filter(Boolean).join(' · ') || category
}

/** Returns a `tsquery` for titles that contain words beginning with the words of the search; null if the search has no letter or digit. */
export function titleQuery(search: string): string | null {
  const words = search.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ')
}

/** What is on a channel at a time, and what follows. */
export type NowNext = { now: GuideProgram | undefined; next: GuideProgram | undefined }

/** Returns the program that is on at `at`, in milliseconds, and the next one. */
export const nowAndNext = (programs: readonly GuideProgram[], at: number): NowNext => ({
  now: programs.find(({ startsAt, endsAt }) => Date.parse(startsAt) <= at && Date.parse(endsAt) > at),
  next: programs.find(({ startsAt }) => Date.parse(startsAt) > at),
})

/** Returns the fraction of a program that has passed at `at` (in milliseconds), from 0 to 1. */
export const elapsedFraction = ({ startsAt, endsAt }: Pick<GuideProgram, 'startsAt' | 'endsAt'>, at: number): number =>
  Math.min(1, Math.max(0, (at - Date.parse(startsAt)) / (Date.parse(endsAt) - Date.parse(startsAt))))

/** `23 min left`, `1 hr 53 min left`. */
export function timeLeft(endsAt: Instant, at: number): string {
  return `${durationText(Math.max(1, Math.ceil((Date.parse(endsAt) - at) / minuteMs)))} left`
}

/** `45 min`, `1 hr`, `1 hr 53 min`. */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  return [hours > 0 && `${hours} hr`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ')
}
