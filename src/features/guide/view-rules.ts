import type { Channel } from '#features/catalog/contract.ts'
import { clockTime, dateNames, instantAt, localDate, localHour } from '#kit/clock.ts'
import type { Instant } from '#kit/dates.ts'

/** A day of the guide begins at 6 AM. */
const firstHour = 6
const dayMs = 86_400_000
export const halfHourMs = 1_800_000
/** The guide has at least `daysBack` days before today, more if the archive goes further back, and `daysAhead` days after today. */
const daysBack = 1
const maxDaysBack = 7
const daysAhead = 7
/** How many channels one page of the list shows. */
export const channelsPerPage = 40

/**
 * Returns the full or half hour at or before a time, in milliseconds. `from` is a full hour on the viewer's clock, because the offset of some zones
 * from UTC ends in 45 minutes; by default, half hours are those of UTC.
 */
export const startOfHalfHour = (at: number, from = 0): number =>
  from + Math.floor((at - from) / halfHourMs) * halfHourMs

/** Returns the guide day of an instant, as a date. */
export const guideDay = (at: number, zone: string): string =>
  localDate(localHour(at, zone) < firstHour ? at - firstHour * 3_600_000 : at, zone)

/** Returns the start and the end of a guide day. The day has 23 or 25 hours when the clock changes. */
export const dayRange = (day: string, zone: string): { from: number; to: number } => ({
  from: instantAt(day, firstHour, zone),
  to: instantAt(addDays(day, 1), firstHour, zone),
})

/** The grid of a day continues into the next day, so that the last programs of a day are followed by others. */
const gridOverlapMs = 3 * 3_600_000
/** Returns the start and the end of the time that the grid of a guide day shows. */
export const gridRange = (day: string, zone: string): { from: number; to: number } => {
  const { from, to } = dayRange(day, zone)
  return { from, to: to + gridOverlapMs }
}

const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10)

/** Returns the day of an instant as text for a sentence: `Today`, `Yesterday`, otherwise `Thursday, November 26`. */
export function dayText(instant: Instant | number, now: number, zone: string): string {
  const day = localDate(instant, zone)
  const today = localDate(now, zone)
  return day === today ? 'Today' : day === addDays(today, -1) ? 'Yesterday' : dateNames(day).long
}

export type GuideDay = { day: string; name: string; number: string; long: string; isToday: boolean }
/** Returns the days that the guide offers. `archiveHours`: how far back the longest archive goes. */
export function guideDays(now: number, zone: string, archiveHours = 0): GuideDay[] {
  const back = Math.min(maxDaysBack, Math.max(daysBack, Math.ceil(archiveHours / 24)))
  const today = guideDay(now, zone)
  return Array.from({ length: back + 1 + daysAhead }, (_, index) => {
    const day = addDays(today, index - back)
    const isToday = day === today
    const { weekday, day: number, long } = dateNames(day)
    return {
      day,
      name: isToday ? 'Today' : weekday,
      number,
      long: isToday ? `Today, ${long.replace(/^\w+, /, '')}` : long,
      isToday,
    }
  })
}

/** Returns the requested day, if the guide has it; otherwise today. */
export const shownDay = (days: readonly GuideDay[], requested: string | undefined): GuideDay =>
  days.find(({ day }) => day === requested) ?? days.find(({ isToday }) => isToday)!

/** Returns when listings were last received, as text: `today at 2:10 PM`, `on Saturday, November 21, at 2:10 PM`. */
export function readAtText(readAt: Instant, now: number, zone: string): string {
  const day = localDate(readAt, zone)
  const time = clockTime(readAt, zone)
  return day === localDate(now, zone) ? `today at ${time}` : `on ${dateNames(day).long}, at ${time}`
}

/** Returns the times that the list offers on a day, in milliseconds; for today, only times after now. */
export function listTimes(day: string, now: number, zone: string): number[] {
  const { from, to } = dayRange(day, zone)
  const isNow = now >= from && now < to
  const hours = isNow
    ? [1, 2, 3, 4, 6, 8].map((ahead) => startOfHalfHour(now + ahead * 3_600_000 - halfHourMs, from))
    : []
  return isNow ? hours.filter((at) => at < to) : [6, 9, 12, 15, 18, 20, 22].map((hour) => instantAt(day, hour, zone))
}

/** Returns the channels of a category, favorites first in their own order, and how many of them are favorites. */
export function orderedChannels(
  lineup: readonly Channel[],
  favoriteIds: readonly number[],
  category: string | undefined,
) {
  const inCategory = (channel: Channel) =>
    category === undefined || category === 'all' || category === 'favorites' || channel.category === category
  const byId = new Map(lineup.map((channel) => [channel.id, channel]))
  const favorites = favoriteIds.flatMap((id) => byId.get(id) ?? []).filter(inCategory)
  const others =
    category === 'favorites' ? [] : lineup.filter((each) => inCategory(each) && !favoriteIds.includes(each.id))
  return { channels: [...favorites, ...others], favoriteCount: favorites.length }
}
