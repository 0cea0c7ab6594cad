import { searchLength } from '../rules.ts'

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
