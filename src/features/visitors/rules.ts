import type { Visitor, visitorSorts } from './contract.ts'

/** One open page, or one page request, as a process saw it. Ages are in milliseconds, so that no two clocks are compared. */
export type Sighting = {
  /** The same for all tabs of a browser. */
  who: string
  /** The same for whatever comes from one address with one browser's name. */
  trace: string
  /** Whether the page holds a line; without one it is a request that was answered. */
  isOpen: boolean
  ageMs: number
  /** Left out where a process has more of them than can be shown. */
  about?: { username: string | null; ip: string; userAgent: string; path: string }
}
/** A browser whose last line closed. */
export type Departure = { trace: string; ageMs: number }

const requestMs = 5 * 60_000
/** A line whose page has not said yet where it is. */
const unsaid = '/ws'

/** Visitors are browsers: one entry each, the page that was used last, latest first. Who left, or has a line, does not count by requests too. */
export function foldSightings(sightings: readonly Sighting[], departures: readonly Departure[]): Sighting[] {
  const open = new Set(sightings.filter(({ isOpen }) => isOpen).map(({ trace }) => trace))
  const left = new Map<string, number>()
  for (const { trace, ageMs } of departures) left.set(trace, Math.min(ageMs, left.get(trace) ?? ageMs))

  const visitors = new Map<string, Sighting>()
  for (const sighting of sightings) {
    const { who, trace, isOpen, ageMs } = sighting
    if (!isOpen && (ageMs > requestMs || open.has(trace) || (left.get(trace) ?? Number.POSITIVE_INFINITY) <= ageMs))
      continue
    const known = visitors.get(who)
    if (!known || isNewer(sighting, known)) visitors.set(who, sighting)
  }
  return [...visitors.values()].sort((a, b) => a.ageMs - b.ageMs || (a.who < b.who ? -1 : 1))
}

function isNewer(a: Sighting, b: Sighting): boolean {
  const [aSaid, bSaid] = [a.about?.path !== unsaid, b.about?.path !== unsaid]
  return aSaid === bSaid ? a.ageMs < b.ageMs : aSaid
}

/** Whether a program says of itself that it reads pages for a machine, or looks whether the site is up. Such ones are no visitors. */
export const isCrawler = (userAgent: string): boolean =>
  /(?:^|[^u])bot\b|crawl|spider|slurp|preview|monitor|uptime|probe|health-?check|facebookexternalhit/i.test(userAgent)

/** The names of the pages that have no part of their own in the path. */
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
  '/verify-email': 'E-mail Verification',
  '/dashboard': 'My Account',
  '/security': 'Account Security',
  '/invoices': 'Your Invoices',
  '/admin': 'Admin Panel',
}

/** What people call the page at a path (specification 2, Active Visitors). Unknown ones are made of the path's own words. */
export function pageName(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path
  const known = Object.hasOwn(pageNames, trimmed) ? pageNames[trimmed] : undefined
  if (known) return known
  const [, first = '', ...rest] = trimmed.split('/')
  if ((first === 'invoice' || first === 'invoices') && rest.length === 1) return `Invoice ${decoded(rest[0]!)}`
  const words = (first === 'admin' ? rest : [first, ...rest]).filter(Boolean).map(titled).join(' / ')
  if (first === 'admin') return `Admin: ${words}`
  return words || path
}

const titled = (part: string): string =>
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

type Wanted = {
  search?: string | undefined
  sort?: (typeof visitorSorts)[number] | undefined
  order?: 'asc' | 'desc' | undefined
}

const nameOf = ({ username }: Visitor): string => username ?? 'Anonymous'
const shown = {
  username: nameOf,
  path: ({ path }: Visitor) => pageName(path),
  lastActive: ({ lastActive }: Visitor) => lastActive,
}

/** The visitors that a search leaves, in the order asked for; without one as they came, the latest first. */
export function chosenVisitors(visitors: readonly Visitor[], { search = '', sort, order }: Wanted): Visitor[] {
  const wanted = search.trim().toLowerCase()
  const found = visitors.filter((visitor) => textOf(visitor).includes(wanted))
  const direction = order === 'desc' ? -1 : 1
  return sort ? found.toSorted((a, b) => direction * shown[sort](a).localeCompare(shown[sort](b))) : found
}

const textOf = (visitor: Visitor): string =>
  [nameOf(visitor), visitor.ipAddress, visitor.country ?? '', visitor.path, pageName(visitor.path)]
    .join('\n')
    .toLowerCase()
