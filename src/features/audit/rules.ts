import type { AuditEntry } from './admin-contract.ts'

type Fields = AuditEntry['before']
/** One changed field; a value is undefined when the entry does not contain it. */
export interface Difference {
  field: string
  before: unknown
  after: unknown
}

/** The fields that differ, in the order they were recorded. Nested fields are named by their full path. */
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

/** All audit actions with their labels. `audit()` accepts only these. */
const actionTexts = {
  'admin.request': 'Confirmation by another administrator requested',
  'automation.limits': 'Limits of automatic confirmation changed',
  'automation.mode': 'Mode of automatic confirmation changed',
  'backup.restore': 'Backup restored',
  'brand.publish': 'Brand published',
  'brand.restore': 'Earlier brand restored',
  'canned_reply.create': 'Canned reply added',
  'canned_reply.delete': 'Canned reply deleted',
  'canned_reply.update': 'Canned reply changed',
  'catalog.remove_sample': 'Sample content removed',
  'channel.create': 'Channel added',
  'channel.delete': 'Channel deleted',
  'channel.import': 'Channels imported from the panel',
  'channel.update': 'Channel changed',
  'channel_guide.reset': 'Channel matched automatically again',
  'channel_guide.set': 'Listings of a channel set by hand',
  'channel_right.create': 'Right to a channel recorded',
  'channel_right.delete': 'Right to a channel removed',
  'channel_right.update': 'Right to a channel changed',
  'device.pair': 'TV paired',
  'device.link': 'TV app credentials created',
  'device.remove': 'Device removed',
  'device.rename': 'Device renamed',
  'device_category.create': 'Device category added',
  'device_category.delete': 'Device category deleted',
  'device_category.move': 'Device categories reordered',
  'device_category.update': 'Device category changed',
  'faq.create': 'Question added',
  'faq.delete': 'Question deleted',
  'faq.move': 'Questions reordered',
  'faq.update': 'Question changed',
  'guide_source.create': 'Source of the guide added',
  'guide_source.delete': 'Source of the guide deleted',
  'guide_source.read': 'Reading of a guide source requested',
  'guide_source.update': 'Source of the guide changed',
  'guide_source.upload': 'Program guide uploaded',
  'image.upload': 'Image uploaded',
  'import.apply': 'Customers imported',
  'import.check': 'File of customers checked',
  'import.email': 'Emails to imported customers started',
  'import.remove': 'Import deleted',
  'import.undo': 'Import undone',
  'inquiry.answer': 'Inquiry answered',
  'inquiry.edit': 'Note on an inquiry changed',
  'inquiry.reopen': 'Inquiry reopened',
  'installation.go_live': 'Installation declared live',
  'invoice.cancel': 'Invoice cancelled',
  'invoice.confirm': 'Payment confirmed',
  'invoice.create': 'Order created for a customer',
  'invoice.expire': 'Invoice expired',
  'invoice.payment_link': 'Payment link changed',
  'invoice.read': "Customer's invoice opened",
  'invoice.reject': 'Payment rejected',
  'invoice.reopen': 'Invoice moved to pending',
  'iptv.sync': 'IPTV account synced',
  'line.adopt': 'Line assigned to a customer',
  'line.compare': 'Lines compared with the panel',
  'line.connections': 'Line connections changed',
  'line.create': 'Line created',
  'line.disable': 'Line disabled',
  'line.enable': 'Line enabled',
  'line.extend': 'Line extended',
  'line.keep': 'Difference from the panel accepted',
  'line.mend': 'Difference from the panel resolved',
  'line.mend_all': 'Differences from the panel resolved in bulk',
  'line.retry': 'Line retried',
  'line.reveal': 'Line password shown to its customer',
  'line.settle': 'Line marked as done',
  'line.try_panel': 'Panel retried',
  'list.export': 'List exported',
  'mail.resend': 'Email resent',
  'mail.reveal': 'Secret link of an unsent email revealed',
  'mail.test': 'Test email sent',
  'mail_server.password': 'Mail server password changed',
  'mail_server.test': 'Mail server test failed',
  'mailbox.password': 'Password of the payment mailbox changed',
  'mailbox.pause': 'Payment mailbox paused: its password was refused',
  'mailbox.read_email': 'Payment email read again',
  'mailbox.review_email': 'Payment email taken off the list',
  'mailbox.test': 'Payment mailbox tested',
  'panel.test': 'Panel tested',
  'passkey.create': 'Passkey added',
  'passkey.remove': 'Passkey removed',
  'passkey.update': 'Passkey renamed',
  'payment.confirm': 'Payment matched and confirmed',
  'payment.confirm_by_rule': 'Payment confirmed automatically',
  'payment.credit': 'Payment added to account credit',
  'payment.hold': 'Payment held for an invoice',
  'payment.link': 'Payment linked to a confirmed invoice',
  'payment.not_ours': 'Payment marked as not ours',
  'payment.record': 'Payment recorded',
  'payment.refund': 'Refund of a payment planned',
  'payment.refund_sent': 'Refund of a payment sent',
  'payment.release': 'Held payment released',
  'payment.reopen': 'Payment returned to the list',
  'payment.set_aside': 'Payment set aside',
  'payment.take_back': 'Reversed payment taken back',
  'payment.bear': 'Loss of a reversed payment absorbed',
  'payment.undo': 'Decision about a payment undone',
  'plan.create': 'Plan added',
  'plan.delete': 'Plan deleted',
  'plan.update': 'Plan changed',
  'processor.add_secret': 'Signing secret of a payment processor added',
  'processor.remove_secret': 'Signing secret of a payment processor removed',
  'processor.review_event': 'Event of a payment processor taken off the list',
  'processor.test': 'Payment processor tested',
  'processor.update': 'Payment processor changed',
  'refund.approve': 'Refund approved',
  'refund.decline': 'Refund declined',
  'refund.request': 'Refund requested',
  'report.update': 'Report updated',
  'report_case.merge': 'Report cases merged',
  'report_case.split': 'Report moved to a separate case',
  'saved_view.create': 'Shared view saved',
  'saved_view.delete': 'Shared view deleted',
  'saved_view.update': 'Shared view changed',
  'secret.rotate': 'Secret key replaced',
  'session.end': 'Session ended',
  'session.end_others': 'Other sessions ended',
  'settings.key': 'Panel key changed',
  'settings.update': 'Settings changed',
  'setup_guide.move': 'Setup guides reordered',
  'setup_guide.update': 'Setup guide changed',
  'staff_role.create': 'Staff role added',
  'staff_role.delete': 'Staff role deleted',
  'staff_role.update': 'Staff role changed',
  'statement.book': 'Statement uploaded',
  'statement.withdraw': 'Statement withdrawn',
  'subscription.expire': 'Subscription ended',
  'ticket.add_note': 'Ticket note added',
  'ticket.answer': 'Ticket answered by the customer',
  'ticket.assign': 'Ticket assigned',
  'ticket.close': 'Ticket closed by the customer',
  'ticket.record_answer': 'Customer answer entered manually',
  'ticket.reply': 'Ticket answered',
  'ticket.set_status': 'Ticket status changed',
  'trial.approved': 'Trial approved',
  'trial.create_line': 'Trial line requested',
  'trial.denied': 'Trial denied',
  'trial.edit': 'Trial request edited',
  'trial.end': 'Trial ended',
  'trial.pending': 'Trial request reopened',
  'user.add_note': 'Internal note added',
  'user.adjust_credit': 'Account credit adjusted',
  'user.cancel_two_factor': 'Two-step verification turned off',
  'user.confirm_email': 'Email address confirmed',
  'user.confirm_password_reset': 'New password set with an emailed link',
  'user.confirm_two_factor': 'Two-step verification turned on',
  'user.create': 'Customer created',
  'user.create_admin': 'Administrator created',
  'user.create_password_reset': 'Password reset link requested',
  'user.create_recovery_codes': 'Recovery codes replaced',
  'user.import': 'Imported from another system',
  'user.reset_password': 'Password reset',
  'user.reset_two_factor': 'Two-step verification reset',
  'user.start_view': 'Started viewing as the customer',
  'user.stop_view': 'Stopped viewing as the customer',
  'user.update_password': 'Password changed',
  'user.update_profile': 'Profile changed',
  'user.update_role': 'Role changed',
  'user.undo_subscription_edit': 'Subscription edit undone',
  'user.update_subscription': 'Subscription changed',
  'user.use_recovery_code': 'Recovery code used',
  'watch_channel.publish': 'Channel published for watching',
  'watch_channel.withdraw': 'Channel withdrawn from watching',
  'watching.disable': 'Watching turned off',
  'watching.enable': 'Rights confirmed and watching turned on',
} as const
export type AuditAction = keyof typeof actionTexts
export const auditActions = Object.keys(actionTexts) as AuditAction[]

/** The name of the user who acted, `Automatic rule` for payments that it confirmed, or `System`. */
export const actorName = ({ actor, action, after }: Pick<AuditEntry, 'actor' | 'action' | 'after'>): string =>
  actor?.username ?? (action === 'payment.confirm_by_rule' || after?.byRule === true ? 'Automatic rule' : 'System')

/** The label of an action. Unknown actions, such as those of older versions, are humanized. */
export const actionText = (action: string): string =>
  Object.hasOwn(actionTexts, action) ? actionTexts[action as AuditAction] : humanize(action)

/** A value as text. Secrets are already stored as `(hidden)`. */
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
