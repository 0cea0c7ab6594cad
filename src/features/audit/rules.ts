import { actionTexts } from './action-rules.ts'
import type { AuditEntry } from './admin-contract.ts'

type Fields = AuditEntry['before']
/** One changed field; a value is undefined when the entry does not contain it. */
export interface Difference {
  field: string
  before: unknown
  after: unknown
}

/** Returns the fields that differ, in the order in which they were recorded. Nested fields are named by their full path. */
export function differencesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] {
  const [previous, current] = [flatten(before), flatten(after)]
  return [...new Set([...previous.keys(), ...current.keys()])]
    .map((field) => ({ field, before: previous.get(field), after: current.get(field) }))
    .filter((each) => JSON.stringify(each.before ?? null) !== JSON.stringify(each.after ?? null))
}

function flatten(fields: Fields, path: string[] = [], result = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, value] of Object.entries(fields ?? {})) {
    const fieldPath = [...path, humanize(name)]
    // Values nested more deeply are shown as JSON.
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && fieldPath.length < 4)
      flatten(value as Fields, fieldPath, result)
    else result.set(fieldPath.join(' › '), value)
  }
  return result
}

/** `subscriptionEndDate` becomes `Subscription end date`, `payment_link` becomes `Payment link`. */
export function humanize(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export type AuditAction = keyof typeof actionTexts
export const auditActions = Object.keys(actionTexts) as AuditAction[]

/** The name of the user who acted, `Automatic rule` for payments that it confirmed, or `System`. */
export const actorName = ({ actor, action, after }: Pick<AuditEntry, 'actor' | 'action' | 'after'>): string =>
  actor?.username ?? (action === 'payment.confirm_by_rule' || after?.byRule === true ? 'Automatic rule' : 'System')

/** The actor's name with the API key that acted for it. */
export const actorWithKey = (entry: Pick<AuditEntry, 'actor' | 'apiKey' | 'action' | 'after'>): string =>
  entry.apiKey ? `${actorName(entry)}, API key ${entry.apiKey.name}` : actorName(entry)

/** The label of an action. Unknown actions, such as those of older versions, get a label that is derived from their name. */
export const actionText = (action: string): string =>
  Object.hasOwn(actionTexts, action) ? actionTexts[action as AuditAction] : humanize(action)

/** Formats a value as text. Secrets are already stored as `(hidden)`. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length > 0 ? value.join(', ') : '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const adminListLink = (tab: string, search: string, more: object = {}) => ({
  to: '/admin',
  search: { tab, search, ...more },
})
/** The link to the page of an entry's target; undefined for targets without a page. */
export function targetLink({
  targetType,
  targetId,
  targetLabel,
}: AuditEntry): { to: string; search?: object; params?: object } | undefined {
  const idSearch = `#${targetId}`
  if (targetType === 'user') return { to: '/admin/users/$userId', params: { userId: targetId } }
  if (targetType === 'invoice' && targetLabel)
    return { to: '/invoice/$invoiceNumber', params: { invoiceNumber: targetLabel } }
  if (targetType === 'payment') return { to: '/admin/payments', search: { payment: targetId } }
  if (targetType === 'report') return adminListLink('reports', idSearch)
  if (targetType === 'trial_request') return adminListLink('trials', idSearch, { status: 'all' })
  if (targetType === 'ticket') return { to: '/admin/tickets/{-$ticketId}', params: { ticketId: targetId } }
  if (targetType === 'inquiry') return { to: '/admin/inquiries', search: { search: idSearch } }
  return undefined
}
