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
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && here.length < 4)
      flat(value as Fields, here, found)
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

/** Every action there is, as people read it: what is not here cannot be written down. */
const actionTexts = {
  'admin.request': 'Confirmation by another administrator requested',
  'backup.restore': 'Backup restored',
  'catalog.remove_sample': 'Sample content removed',
  'channel.create': 'Channel added',
  'channel.delete': 'Channel deleted',
  'channel.import': 'Channels imported from the panel',
  'channel.update': 'Channel changed',
  'device_category.create': 'Device category added',
  'device_category.delete': 'Device category deleted',
  'device_category.move': 'Device category moved',
  'device_category.update': 'Device category changed',
  'faq.create': 'Question added',
  'faq.delete': 'Question deleted',
  'faq.move': 'Question moved',
  'faq.update': 'Question changed',
  'inquiry.answer': 'Inquiry answered',
  'inquiry.edit': 'Note on an inquiry changed',
  'inquiry.reopen': 'Inquiry reopened',
  'installation.go_live': 'Declared the live installation',
  'invoice.cancel': 'Invoice cancelled',
  'invoice.confirm': 'Payment confirmed',
  'invoice.expire': 'Invoice expired',
  'invoice.payment_link': 'Payment link changed',
  'invoice.read': "Customer's invoice opened",
  'invoice.reject': 'Payment rejected',
  'invoice.reopen': 'Invoice moved to pending',
  'iptv.sync': 'IPTV account synced',
  'line.adopt': 'Line given to a customer',
  'line.compare': 'Lines compared with the panel',
  'line.connections': 'Connections of a line changed',
  'line.create': 'Line made',
  'line.disable': 'Line switched off',
  'line.enable': 'Line switched on',
  'line.extend': 'Line extended',
  'line.keep': 'Difference with the panel left as it is',
  'line.mend': 'Line brought in line',
  'line.mend_all': 'Lines brought in line together',
  'line.retry': 'Line looked at again',
  'line.reveal': 'Password of a line shown to its customer',
  'line.settle': 'Line marked as done',
  'line.try_panel': 'Panel asked again',
  'list.export': 'List exported',
  'mail.resend': 'Mail sent again',
  'mail.reveal': 'Kept mail shown with its link',
  'mail.test': 'Test mail sent',
  'panel.test': 'Panel tested',
  'passkey.create': 'Passkey added',
  'passkey.remove': 'Passkey removed',
  'passkey.update': 'Passkey renamed',
  'plan.create': 'Plan added',
  'plan.delete': 'Plan deleted',
  'plan.update': 'Plan changed',
  'refund.approve': 'Refund approved',
  'refund.decline': 'Refund declined',
  'refund.request': 'Refund asked for',
  'report.update': 'Report updated',
  'secret.rotate': 'Secret key replaced',
  'session.end': 'Session ended',
  'session.end_others': 'Other sessions ended',
  'settings.key': 'Key of the panel changed',
  'settings.update': 'Settings changed',
  'subscription.expire': 'Subscription ended',
  'trial.approved': 'Trial approved',
  'trial.create_line': 'Trial line asked for',
  'trial.denied': 'Trial denied',
  'trial.edit': 'Trial request edited',
  'trial.end': 'Trial ended',
  'trial.pending': 'Trial request reopened',
  'user.adjust_credit': 'Credit corrected',
  'user.cancel_two_factor': 'Two-step verification turned off',
  'user.confirm_email': 'E-mail address confirmed',
  'user.confirm_password_reset': 'New password set by mailed link',
  'user.confirm_two_factor': 'Two-step verification turned on',
  'user.create_admin': 'Administrator created',
  'user.create_password_reset': 'Password link asked for',
  'user.create_recovery_codes': 'Recovery codes renewed',
  'user.reset_password': 'Password reset',
  'user.reset_two_factor': 'Two-step verification reset',
  'user.start_view': 'Viewing as the customer began',
  'user.stop_view': 'Viewing as the customer ended',
  'user.update_password': 'Password changed',
  'user.update_profile': 'Profile changed',
  'user.update_role': 'Role changed',
  'user.undo_subscription_edit': 'Edit of the subscription undone',
  'user.update_subscription': 'Subscription changed',
  'user.use_recovery_code': 'Recovery code used',
} as const
export type AuditAction = keyof typeof actionTexts

/** What an action is called; one that only an older version wrote is told by its own words. */
export const actionText = (action: string): string =>
  Object.hasOwn(actionTexts, action) ? actionTexts[action as AuditAction] : wordsOf(action)

/** A value as a line of text; secrets come as `(hidden)` already. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.length > 0 ? value.join(', ') : '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const searched = (tab: string, search: string, more: object = {}) => ({
  to: '/admin',
  search: { tab, search, ...more },
})
/** Where the thing an entry is about can be looked at; undefined where it has no page. */
export function targetLink({
  targetType,
  targetId,
  targetLabel,
}: AuditEntry): { to: string; search?: object; params?: object } | undefined {
  const byNumber = `#${targetId}`
  if (targetType === 'user') return { to: '/admin/users/$userId', params: { userId: targetId } }
  if (targetType === 'invoice' && targetLabel)
    return { to: '/invoice/$invoiceNumber', params: { invoiceNumber: targetLabel } }
  if (targetType === 'report') return searched('reports', byNumber)
  if (targetType === 'trial_request') return searched('trials', byNumber, { status: 'all' })
  if (targetType === 'inquiry') return { to: '/admin/inquiries', search: { search: byNumber } }
  return undefined
}
