import type { AuditAction } from '#features/audit/rules.ts'
import type { GrantablePermission } from '#kit/permissions.ts'
import type { TimelineEntry, TimelineGroup } from './admin-timeline-contract.ts'

type Prefix<Action> = Action extends `${infer Head}.${string}` ? Head : never
type ActionPrefix = Prefix<AuditAction>

/** Prefixes of actions that are about the operator's data, not about a customer. Such actions are not shown on a timeline. */
export const operatorPrefixes = [
  'announcement',
  'api_key',
  'automation',
  'backup',
  'brand',
  'canned_reply',
  'catalog',
  'channel',
  'channel_guide',
  'channel_right',
  'device_category',
  'faq',
  'guide_source',
  'image',
  'import',
  'incident',
  'inquiry',
  'installation',
  'list',
  'mail_server',
  'mailbox',
  'panel',
  'plan',
  'processor',
  'report_case',
  'secret',
  'saved_view',
  'settings',
  'setup_guide',
  'staff_role',
  'statement',
  'time_gift',
  'watch_channel',
  'watching',
  'webhook',
] as const satisfies readonly ActionPrefix[]
type OperatorPrefix = (typeof operatorPrefixes)[number]
export type CustomerPrefix = Exclude<ActionPrefix, OperatorPrefix>
export type CustomerAction = Exclude<AuditAction, `${OperatorPrefix}.${string}`>

/** For each action prefix, which is the part before the dot: the filter that shows its audit entries. */
export const groupOfPrefix: Record<CustomerPrefix, TimelineGroup> = {
  admin: 'account',
  device: 'account',
  invoice: 'money',
  iptv: 'line',
  line: 'line',
  mail: 'emails',
  passkey: 'account',
  payment: 'money',
  refund: 'money',
  report: 'requests',
  session: 'account',
  subscription: 'money',
  ticket: 'requests',
  trial: 'requests',
  user: 'account',
}

/** For each action prefix: the permission that a reader needs to see its audit entries. */
export const neededForPrefix: Record<CustomerPrefix, GrantablePermission> = {
  admin: 'customers.read',
  device: 'customers.read',
  invoice: 'invoices.read',
  iptv: 'lines.read',
  line: 'lines.read',
  mail: 'customers.read',
  passkey: 'customers.read',
  payment: 'invoices.read',
  refund: 'invoices.read',
  report: 'reports.read',
  session: 'customers.read',
  subscription: 'invoices.read',
  ticket: 'tickets.read',
  trial: 'trials.read',
  user: 'customers.read',
}

/** Returns the action prefixes of one filter, or of all filters, that a reader with these permissions may see. */
export const prefixesOf = (group: TimelineGroup | undefined, permissions: readonly string[]): CustomerPrefix[] =>
  (Object.entries(groupOfPrefix) as [CustomerPrefix, TimelineGroup][])
    .filter(([prefix, of]) => (!group || of === group) && permissions.includes(neededForPrefix[prefix]))
    .map(([prefix]) => prefix)

const minute = 60_000
/** Returns whether two events are shown as one entry: they have the same texts, are at most a minute apart, and have no open action. */
export const isSameEvent = (a: TimelineEntry, b: TimelineEntry): boolean =>
  a.group === b.group &&
  a.title === b.title &&
  a.detail === b.detail &&
  !a.open &&
  !b.open &&
  Math.abs(Date.parse(a.at) - Date.parse(b.at)) <= minute

/** Adds an event to a timeline that is sorted from new to old. Returns false if the event was combined with one of the entries. */
export function addEntry(entries: TimelineEntry[], entry: TimelineEntry): boolean {
  const same = entries.findLastIndex((earlier) => isSameEvent(earlier, entry))
  if (same < 0) {
    entries.push(entry)
    return true
  }
  entries[same] = { ...entries[same]!, count: entries[same]!.count + entry.count }
  return false
}
