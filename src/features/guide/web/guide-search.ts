import { searchLength } from '../rules.ts'
import { guideDay, listTimes } from '../view-rules.ts'

/** The query parameters of the guide. */
export type GuideSearch = {
  /** A guide day as a date; today without it. */
  day?: string | undefined
  /** The time that the list shows, as an instant; now without it. */
  at?: string | undefined
  /** A channel category, or `favorites`. */
  category?: string | undefined
  q?: string | undefined
  view?: 'grid' | 'list' | undefined
  /** How many channels the list shows. */
  show?: number | undefined
}

/** The same before validation, as the router parses them. */
export type GuideAddress = { [name in keyof GuideSearch]?: unknown }

/** For links that leave parameters out: without it, the link to all categories is marked as the current page in each category. */
export const onlyThis = { explicitUndefined: true }

/** The query parameters of an address. Invalid ones are left out. */
export function guideSearchOf(address: GuideAddress): GuideSearch {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
  const { view } = address
  return {
    day: text(address.day),
    at: text(address.at)?.match(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)?.[0],
    category: text(address.category),
    q: text(address.q)?.trim().slice(0, searchLength.max) || undefined,
    view: view === 'grid' || view === 'list' ? view : undefined,
    show: Math.max(0, Math.floor(Number(text(address.show)))) || undefined,
  }
}

/** The time that the list shows, in milliseconds: the one in the address, or else 6 PM on other days than today; undefined for now. */
export function listedTime(search: GuideSearch, day: string, now: number, zone: string): number | undefined {
  const requested = search.at === undefined ? Number.NaN : Date.parse(search.at)
  if (!Number.isNaN(requested)) return requested
  return day === guideDay(now, zone) ? undefined : listTimes(day, now, zone)[4]
}
