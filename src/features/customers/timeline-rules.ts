import type { AuditAction } from '#features/audit/rules.ts'
import type { TimelineEntry, TimelineGroup } from './admin-timeline-contract.ts'

type Prefix<Action> = Action extends `${infer Head}.${string}` ? Head : never
export type ActionPrefix = Prefix<AuditAction>

/** The filter that shows audit entries, by the part of their action before the dot. */
export const groupOfPrefix: Record<ActionPrefix, TimelineGroup> = {
  admin: 'account',
  backup: 'account',
  catalog: 'account',
  channel: 'account',
  device_category: 'account',
  faq: 'account',
  image: 'account',
  inquiry: 'requests',
  installation: 'account',
  invoice: 'money',
  iptv: 'line',
  line: 'line',
  list: 'account',
  mail: 'emails',
  panel: 'account',
  passkey: 'account',
  plan: 'account',
  refund: 'money',
  report: 'requests',
  secret: 'account',
  session: 'account',
  settings: 'account',
  subscription: 'money',
  trial: 'requests',
  user: 'account',
}

/** The prefixes of the actions that can be about a customer, of one filter or of all. */
export function prefixesOf(group: TimelineGroup | undefined): ActionPrefix[] {
  const prefixes = Object.entries(groupOfPrefix) as [ActionPrefix, TimelineGroup][]
  return prefixes
    .filter(([prefix, of]) => aboutCustomers.has(prefix) && (!group || of === group))
    .map(([prefix]) => prefix)
}
/** Targets of the other actions are not customers (`audited_customer` in the database). */
const aboutCustomers = new Set<ActionPrefix>([
  'admin',
  'invoice',
  'iptv',
  'line',
  'mail',
  'passkey',
  'refund',
  'report',
  'session',
  'subscription',
  'trial',
  'user',
])

const minute = 60_000
/** Whether two events are shown as one: the same words within a minute, and nothing left to do about either. */
export const isSameEvent = (a: TimelineEntry, b: TimelineEntry): boolean =>
  a.group === b.group &&
  a.title === b.title &&
  a.detail === b.detail &&
  !a.open &&
  !b.open &&
  Math.abs(Date.parse(a.at) - Date.parse(b.at)) <= minute

/** Adds an event to a timeline that is sorted from new to old. Returns false where it was folded into one of the entries. */
export function addEntry(entries: TimelineEntry[], entry: TimelineEntry): boolean {
  const same = entries.findLastIndex((earlier) => isSameEvent(earlier, entry))
  if (same < 0) {
    entries.push(entry)
    return true
  }
  entries[same] = { ...entries[same]!, count: entries[same]!.count + entry.count }
  return false
}
