import type { Visitor, visitorSorts } from './admin-contract.ts'

/** One open page or one page request seen by a process. Ages are relative, in milliseconds, so that clocks of different machines are not compared. */
export type Sighting = {
  /** Identifies a browser: the same for all of its tabs. */
  who: string
  /** Identifies a combination of IP address and user agent. */
  trace: string
  /** Whether the page has an open socket connection; otherwise the sighting is a page request. */
  isOpen: boolean
  ageMs: number
  /** Missing for visitors beyond the maximum number of listed visitors. */
  about?: { username: string | null; ip: string; userAgent: string; path: string }
}
/** An IP address and user agent whose last connection closed `ageMs` ago. */
export type Departure = { trace: string; ageMs: number }

const requestMs = 5 * 60_000
/** The path of a connection whose page has not reported its own path yet. */
const unknownPath = '/ws'

/**
 * Merges sightings into one entry per browser, with the page that was used last. Returns the latest first. Ignores page requests of a browser that has a
 * connection or has closed one since the request.
 */
export function foldSightings(sightings: readonly Sighting[], departures: readonly Departure[]): Sighting[] {
  const open = new Set(sightings.filter(({ isOpen }) => isOpen).map(({ trace }) => trace))
  const left = new Map<string, number>()
  for (const { trace, ageMs } of departures) left.set(trace, Math.min(ageMs, left.get(trace) ?? ageMs))

  const visitors = new Map<string, Sighting>()
  for (const sighting of sightings) {
    const { who, trace, isOpen, ageMs } = sighting
    if (!isOpen && (ageMs > requestMs || open.has(trace) || (left.get(trace) ?? Number.POSITIVE_INFINITY) <= ageMs))
      continue
    const previous = visitors.get(who)
    if (!previous || isNewer(sighting, previous)) visitors.set(who, sighting)
  }
  return [...visitors.values()].sort((a, b) => a.ageMs - b.ageMs || (a.who < b.who ? -1 : 1))
}

function isNewer(a: Sighting, b: Sighting): boolean {
  const [aHasPath, bHasPath] = [a.about?.path !== unknownPath, b.about?.path !== unknownPath]
  return aHasPath === bHasPath ? a.ageMs < b.ageMs : aHasPath
}

/** Whether a user agent identifies itself as a crawler or an uptime monitor. Crawlers and monitors are not counted as visitors. */
export const isCrawler = (userAgent: string): boolean =>
  /(?:^|[^u])bot\b|crawl|spider|slurp|preview|monitor|uptime|probe|health-?check|facebookexternalhit/i.test(userAgent)

/** The names of pages by path. */
const pageNames: Readonly<Record<string, string>> = {
  '/': 'Home Page',
  '/ws': 'WebSocket Connection',
  '/channels': 'Channels',
  '/channels/lineup': 'Complete Lineup',
  '/pricing': 'Pricing',
  '/devices': 'Devices',
  '/faq': 'FAQ',
  '/contact': 'Contact',
  '/setup': 'Setup Guide',
  '/status': 'Service Status',
  '/request-trial': 'Free Trial',
  '/terms': 'Terms of Service',
  '/privacy': 'Privacy Policy',
  '/refund-policy': 'Refund Policy',
  '/cookies': 'Cookie Policy',
  '/dmca': 'DMCA',
  '/checkout': 'Checkout',
  '/auth': 'Login',
  '/register': 'Register',
  '/forgot-password': 'Forgotten Password',
  '/reset-password': 'Password Reset',
  '/verify-email': 'Email Verification',
  '/dashboard': 'My Account',
  '/security': 'Account Security',
  '/invoices': 'Your Invoices',
  '/admin': 'Admin Panel',
}

/** The name of the page at a path. For unknown paths it is derived from the path's words. Specification 2, Active Visitors. */
export function pageName(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path
  const known = Object.hasOwn(pageNames, trimmed) ? pageNames[trimmed] : undefined
  if (known) return known
  const [, first = '', ...rest] = trimmed.split('/')
  if ((first === 'invoice' || first === 'invoices') && rest.length === 1) return `Invoice ${decoded(rest[0]!)}`
  const words = (first === 'admin' ? rest : [first, ...rest]).filter(Boolean).map(titleCase).join(' / ')
  if (first === 'admin') return `Admin: ${words}`
  return words || path
}

const titleCase = (part: string): string =>
  decoded(part)
    .split(/[-_\s]+/)
    .filter(Boolean)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type VisitorQuery = {
  search?: string | undefined
  sort?: (typeof visitorSorts)[number] | undefined
  order?: 'asc' | 'desc' | undefined
}

export const visitorName = ({ username }: Visitor): string => username ?? 'Anonymous'
const sortValues = {
  username: visitorName,
  path: ({ path }: Visitor) => pageName(path),
  lastActive: ({ lastActive }: Visitor) => lastActive,
}

/** Filters visitors by the search text and sorts them; without `sort` they stay in the given order, latest first. */
export function filterVisitors(visitors: readonly Visitor[], { search = '', sort, order }: VisitorQuery): Visitor[] {
  const term = search.trim().toLowerCase()
  const matches = visitors.filter((visitor) => searchText(visitor).includes(term))
  const direction = order === 'desc' ? -1 : 1
  return sort ? matches.toSorted((a, b) => direction * sortValues[sort](a).localeCompare(sortValues[sort](b))) : matches
}

const searchText = (visitor: Visitor): string =>
  [visitorName(visitor), visitor.ipAddress, visitor.country ?? '', visitor.path, pageName(visitor.path)]
    .join('\n')
    .toLowerCase()
