import { searchLength } from '../rules.ts'
import { guideDay, listTimes } from '../view-rules.ts'

/** The query parameters of the guide. */
export type GuideSearch = {
  /** A guide day as a date; today if absent. */
  day?: string | undefined
  /** The time that the list shows, as an instant; now if absent. */
  at?: string | undefined
  /** A channel category, or `favorites`. */
  category?: string | undefined
  q?: string | undefined
  view?: 'grid' | 'list' | undefined
  /** How many channels the list shows. */
  show?: number | undefined
}

/** The query parameters before validation, as the router parses them. */
export type RawGuideSearch = { [name in keyof GuideSearch]?: unknown }

/** For links that omit parameters. Without this option, the link to all categories is marked as the current page in each category. */
export const matchMissingParameters = { explicitUndefined: true }

/** Returns the validated query parameters. Invalid ones are left out. */
export function guideSearchOf(raw: RawGuideSearch): GuideSearch {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
  const { view } = raw
  return {
    day: text(raw.day),
    at: text(raw.at)?.match(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)?.[0],
    category: text(raw.category),
    q: text(raw.q)?.trim().slice(0, searchLength.max) || undefined,
    view: view === 'grid' || view === 'list' ? view : undefined,
    show: Math.max(0, Math.floor(Number(text(raw.show)))) || undefined,
  }
}

/** Returns the time that the list shows, in milliseconds: the time in the URL, or else 6 PM on any day but today; undefined to show what is on now. */
export function listedTime(search: GuideSearch, day: string, now: number, zone: string): number | undefined {
  const requested = search.at === undefined ? Number.NaN : Date.parse(search.at)
  if (!Number.isNaN(requested)) return requested
  return day === guideDay(now, zone) ? undefined : listTimes(day, now, zone)[4]
}
