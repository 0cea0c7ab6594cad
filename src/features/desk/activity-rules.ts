import { type AuditAction, actionText, targetLink } from '#features/audit/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { ActivityEntry } from './admin-overview-contract.ts'

/** Audited actions that the activity list leaves out: actions that only read data, and parts of another action that is listed. */
export const hiddenActions = [
  'invoice.read',
  'line.reveal',
  'line.compare',
  'mail.reveal',
  'user.import',
  'user.create_password_reset',
  'session.end',
  'session.end_others',
] as const satisfies AuditAction[]

/** The sentence for each audited action. `{actor}`, `{object}` and `{amount}` are replaced by the values of the entry. */
const sentences: Partial<Record<AuditAction, string>> = {
  'backup.restore': 'A backup was restored',
  'catalog.remove_sample': '{actor} removed the sample content',
  'channel.import': '{actor} imported channels from the panel',
  'import.apply': '{actor} applied an import',
  'import.undo': '{actor} undid an import',
  'inquiry.answer': '{actor} answered {object}',
  'inquiry.reopen': '{actor} reopened {object}',
  'installation.go_live': '{actor} declared this installation live',
  'invoice.cancel': '{actor} cancelled {object}',
  'invoice.confirm': '{actor} confirmed {amount} from {object}',
  'invoice.create': '{actor} created {object}',
  'invoice.expire': '{object} expired unpaid',
  'invoice.payment_link': '{actor} sent a card link for {object}',
  'invoice.reject': '{actor} rejected the payment for {object}',
  'invoice.reopen': '{actor} moved {object} back to pending',
  'iptv.sync': '{actor} connected an IPTV account',
  'line.connections': 'The number of connections of the line of {object} changed',
  'line.create': 'A line was created for {object}',
  'line.disable': 'The line of {object} was disabled',
  'line.enable': 'The line of {object} was enabled',
  'line.extend': 'The line of {object} was extended',
  'line.retry': '{actor} retried the line of {object}',
  'line.settle': '{actor} marked the line of {object} as done',
  'list.export': '{actor} exported a list',
  'mail.test': '{actor} sent a test email',
  'panel.test': '{actor} tested the panel',
  'refund.approve': '{actor} refunded {amount} to {object}',
  'refund.decline': '{actor} declined the refund for {object}',
  'refund.request': '{actor} requested a refund for {object}',
  'report.update': '{actor} updated {object}',
  'settings.update': '{actor} changed the settings',
  'subscription.expire': 'The subscription of {object} ended',
  'ticket.answer': '{actor} answered in {object}',
  'ticket.assign': '{actor} assigned {object}',
  'ticket.close': '{actor} closed {object}',
  'ticket.record_answer': '{actor} entered an answer to {object}',
  'ticket.reply': '{actor} answered {object}',
  'ticket.set_status': '{actor} changed the status of {object}',
  'trial.approved': '{actor} approved {object}',
  'trial.create_line': '{actor} created a trial line for {object}',
  'trial.denied': '{actor} denied {object}',
  'trial.end': 'The trial of {object} ended',
  'trial.pending': '{actor} reopened {object}',
  'user.add_note': '{actor} added a note about {object}',
  'user.adjust_credit': '{actor} adjusted the credit of {object}',
  'user.confirm_email': '{object} confirmed their email address',
  'user.confirm_two_factor': '{object} turned on two-step verification',
  'user.create': '{actor} created the account of {object}',
  'user.create_admin': '{object} became an administrator',
  'user.give_days': '{actor} gave {object} days',
  'user.move_subscription': '{actor} moved the subscription of {object}',
  'user.reset_password': '{actor} reset the password of {object}',
  'user.start_view': '{actor} viewed the site as {object}',
  'user.update_profile': '{actor} changed the profile of {object}',
  'user.update_role': '{actor} changed the role of {object}',
  'user.update_subscription': '{actor} changed the subscription of {object}',
}
const eventSentences: Record<Exclude<ActivityEntry['event'], 'audit'>, string> = {
  registration: '{actor} registered',
  payment: '{actor} paid {amount} for {object}',
  card_order: '{actor} asked for a card link for {object}',
  trial: '{actor} requested {object}',
  report: '{actor} reported {object}',
  inquiry: '{object} sent an inquiry',
}

const objectNames: Record<string, string> = {
  trial_request: 'a trial request',
  report: 'a report',
  inquiry: 'an inquiry',
  ticket: 'a ticket',
  user: 'a customer',
  invoice: 'an invoice',
}
/** Returns the words for the object of an entry. */
function objectOf({ event, targetType, targetLabel, customer }: ActivityEntry): string {
  if (event === 'trial') return `a trial on ${targetLabel}`
  if (targetType === 'invoice' && event === 'audit' && targetLabel && customer) return `${customer}, ${targetLabel}`
  return targetLabel ?? objectNames[targetType] ?? ''
}

/** A part of a sentence. `kind` says whether it is plain, emphasized or a link. */
export type Phrase = { text: string; kind: 'text' | 'strong' | 'link' }

/** Returns the parts of the sentence for an entry. For an action without its own sentence, they are the name of the action and the actor. */
export function sentenceOf(entry: ActivityEntry): Phrase[] {
  const template =
    entry.event === 'audit'
      ? (sentences[entry.action as AuditAction] ?? `${actionText(entry.action)} by {actor}`)
      : eventSentences[entry.event]
  const isFree = entry.event === 'payment' && entry.amount === 0
  return (isFree ? '{actor} ordered a change without a charge, {object}' : template)
    .split(/(\{\w+\})/)
    .filter((part) => part !== '')
    .map((part): Phrase => {
      if (part === '{actor}') return { text: entry.actor?.username ?? 'The system', kind: 'strong' }
      if (part === '{amount}')
        return { text: entry.amount === null ? 'a payment' : formatCents(entry.amount), kind: 'strong' }
      if (part === '{object}') return { text: objectOf(entry), kind: activityLink(entry) ? 'link' : 'strong' }
      return { text: part, kind: 'text' }
    })
}

/** Returns the link to the object of an entry; undefined if it has no page. */
export const activityLink = ({ targetType, targetId, targetLabel }: ActivityEntry) =>
  targetLink({ targetType, targetId, targetLabel } as Parameters<typeof targetLink>[0])
