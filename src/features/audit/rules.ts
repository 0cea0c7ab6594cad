import type { AuditEntry } from './admin-contract.ts'

type Fields = AuditEntry['before']
/** One field that a decision changed; undefined where there was nothing said. */
export interface Difference {
  field: string
  before: unknown
  after: unknown
}

/** The fields that differ, nested ones under their whole path, in the order they were written. */
export function differencesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): Difference[] {
  const [old, now] = [flat(before), flat(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }))
    .filter((each) => JSON.stringify(each.before ?? null) !== JSON.stringify(each.after ?? null))
}

function flat(fields: Fields, path: string[] = [], found = new Map<string, unknown>()): Map<string, unknown> {
  for (const [name, value] of Object.entries(fields ?? {})) {
    const here = [...path, wordsOf(name)]
    // Deeper things are shown as they are.
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && here.length < 4) flat(value as Fields, here, found)
    else found.set(here.join(' › '), value)
  }
  return found
}

/** `subscriptionEndDate` and `payment_link` as people write them. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `invoice.confirm` as "Invoice: confirm". */
export function actionText(action: string): string {
  const [what = '', ...done] = action.split('.')
  return done.length > 0 ? `${wordsOf(what)}: ${wordsOf(done.join(' ')).toLowerCase()}` : wordsOf(what)
}

/** A value as a line of text; secrets come as `(hidden)` already. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.length > 0 ? value.join(', ') : '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const searched = (tab: string, search: string, more: object = {}) => ({ to: '/admin', search: { tab, search, ...more } })
/** Where the thing an entry is about can be looked at; undefined where it has no page. */
export function targetLink({ targetType, targetId, targetLabel }: AuditEntry): { to: string; search?: object; params?: object } | undefined {
  const byNumber = `#${targetId}`
  if (targetType === 'user') return { to: '/admin/users/$userId', params: { userId: targetId } }
  if (targetType === 'invoice' && targetLabel) return { to: '/invoice/$invoiceNumber', params: { invoiceNumber: targetLabel } }
  if (targetType === 'report') return searched('reports', byNumber)
  if (targetType === 'trial_request') return searched('trials', byNumber, { status: 'all' })
  if (targetType === 'inquiry') return { to: '/admin/inquiries', search: { search: byNumber } }
  return undefined
}
