import { roleNames } from '#features/accounts/rules.ts'
import { actionText } from '#features/audit/rules.ts'
import { statusNames as reportStatusNames } from '#features/reports/rules.ts'
import { formatCents, formatSignedCents } from '#kit/money.ts'
import { paymentPhrases } from './payment-phrase-rules.ts'
import {
  adjustment,
  changedProfile,
  connectionsOf,
  dateOf,
  type AuditFacts as Facts,
  lineState,
  numberOf,
  type Phrase,
  quoted,
  subscriptionState,
  textOf,
} from './phrase-rules.ts'
import { ticketPhrases } from './ticket-phrase-rules.ts'
import { timePhrases } from './time-phrase-rules.ts'
import type { CustomerAction } from './timeline-rules.ts'

type Write = (facts: Facts) => Phrase

/** Uses the label of the audit log, and adds who acted. */
const plain =
  (action: CustomerAction, tone?: Phrase['tone']): Write =>
  () => ({ title: actionText(action), tone })
const order = ({ invoice }: Facts) => invoice?.number ?? 'an invoice'
const amount = ({ invoice, after }: Facts) => formatCents(numberOf(after, 'amount') ?? invoice?.amount ?? 0)
const panelStep =
  (title: (line: string, facts: Facts) => string, tone: Phrase['tone'] = 'ok'): Write =>
  (facts) => ({
    title: title(textOf(facts.after, 'username') ?? '', facts).replaceAll(/\s+/g, ' '),
    detail: ['Confirmed by the panel', lineState(facts.after)],
    tone,
  })
const trialDecision =
  (title: string, tone?: Phrase['tone']): Write =>
  ({ after }) => ({ title, detail: [dateOf(after, 'expiryDate', 'Until')], tone })

/** The timeline texts for each audited action that concerns a customer. If an action has no texts, the code does not compile, see `operatorPrefixes`. */
const phrases: Record<Exclude<CustomerAction, `${'payment' | 'ticket'}.${string}`>, Write> &
  typeof paymentPhrases &
  typeof ticketPhrases = {
  ...paymentPhrases,
  ...ticketPhrases,
  ...timePhrases,
  'admin.request': ({ after }) => ({
    title: 'Confirmation by another administrator requested',
    detail: [textOf(after, 'asked')],
    tone: 'warn',
  }),
  'device.link': ({ after }) => ({ title: 'TV app credentials created', detail: [textOf(after, 'name')] }),
  'device.pair': ({ after }) => ({ title: 'TV paired', detail: [textOf(after, 'name')] }),
  'device.remove': ({ before }) => ({ title: 'Device removed', detail: [textOf(before, 'name')] }),
  'device.rename': ({ before, after }) => ({
    title: 'Device renamed',
    detail: [[textOf(before, 'name'), textOf(after, 'name')].filter(Boolean).join(' is now ')],
  }),
  'device.stop': ({ after }) => ({ title: 'Playback stopped', detail: [textOf(after, 'name')] }),
  'invoice.cancel': (facts) => ({ title: `Invoice ${order(facts)} cancelled`, tone: 'bad' }),
  'invoice.confirm': (facts) => ({
    title: `Payment of ${amount(facts)} confirmed`,
    detail: [facts.invoice?.number],
    by: 'confirmed by',
    tone: 'ok',
  }),
  'invoice.create': (facts) => ({ title: `Order ${order(facts)} created`, detail: [textOf(facts.after, 'planName')] }),
  'invoice.expire': (facts) => ({ title: `Invoice ${order(facts)} expired` }),
  'invoice.payment_link': (facts) => ({
    title: textOf(facts.after, 'paymentLink')
      ? `Payment link sent for ${order(facts)}`
      : `Payment link removed from ${order(facts)}`,
  }),
  'invoice.read': (facts) => ({ title: `Invoice ${order(facts)} opened by an administrator` }),
  'invoice.reject': (facts) => ({
    title: `Payment for ${order(facts)} rejected`,
    detail: [quoted(facts.after, 'reason')],
    tone: 'bad',
  }),
  'invoice.reopen': (facts) => ({ title: `Payment for ${order(facts)} is no longer confirmed`, tone: 'warn' }),
  'iptv.sync': ({ after }) => ({
    title: 'IPTV account synced',
    detail: [textOf(after, 'iptvUsername') ?? textOf(after, 'username')],
  }),
  'line.adopt': ({ before }) => ({ title: 'Line assigned to this customer', detail: [textOf(before, 'line')] }),
  'line.compare': plain('line.compare'),
  'line.connections': panelStep((line, { after }) => `Line ${line} changed to ${connectionsOf(after)}`),
  'line.create': panelStep((line) => `Line ${line} created`),
  'line.disable': panelStep((line) => `Line ${line} disabled`, 'plain'),
  'line.enable': panelStep((line) => `Line ${line} enabled`),
  'line.extend': panelStep(
    (line, { after }) => `Line ${line} ${dateOf(after, 'until', 'extended to') ?? 'extended without an end'}`,
  ),
  'line.keep': ({ before }) => ({ title: 'Difference from the panel accepted', detail: [textOf(before, 'line')] }),
  'line.mend': ({ before, after }) => ({
    title: 'Difference from the panel resolved',
    detail: [
      textOf(before, 'line'),
      textOf(after, 'way') === 'theirs' ? 'the state of the panel was kept' : 'our state was applied',
    ],
  }),
  'line.mend_all': plain('line.mend_all'),
  'line.move': plain('line.move'),
  'line.move_back': plain('line.move_back'),
  'line.move_continue': plain('line.move_continue'),
  'line.move_start': plain('line.move_start'),
  'line.move_stop': plain('line.move_stop'),
  'line.retry': plain('line.retry'),
  'line.reveal': ({ after }) => ({
    title: 'Line password shown to the customer',
    detail: [textOf(after, 'username'), textOf(after, 'by')],
  }),
  'line.settle': () => ({ title: 'Line marked as done', by: 'done in the panel by', tone: 'ok' }),
  'line.try_panel': plain('line.try_panel'),
  'mail.resend': ({ after }) => ({ title: 'Email sent again', detail: [textOf(after, 'recipient')] }),
  'mail.reveal': ({ after }) => ({
    title: 'Secret link of an unsent email revealed',
    detail: [textOf(after, 'recipient')],
    tone: 'warn',
  }),
  'mail.test': plain('mail.test'),
  'passkey.create': ({ after }) => ({ title: 'Passkey added', detail: [textOf(after, 'name')] }),
  'passkey.remove': ({ before }) => ({ title: 'Passkey removed', detail: [textOf(before, 'name')] }),
  'passkey.update': ({ before, after }) => ({
    title: 'Passkey renamed',
    detail: [[textOf(before, 'name'), textOf(after, 'name')].filter(Boolean).join(' is now ')],
  }),
  'refund.approve': (facts) => ({
    title: `Refund of ${amount(facts)} approved`,
    detail: [facts.invoice?.number, quoted(facts.after, 'reason')],
    tone: 'ok',
  }),
  'refund.decline': (facts) => ({
    title: `Refund of ${amount(facts)} declined`,
    detail: [facts.invoice?.number, quoted(facts.after, 'reason')],
    tone: 'bad',
  }),
  'refund.request': (facts) => ({
    title: `Refund of ${amount(facts)} requested`,
    detail: [facts.invoice?.number, quoted(facts.after, 'reason')],
    tone: 'warn',
  }),
  'report.update': ({ report, before, after }) => {
    const about = report ?? 'a report'
    const status = reportStatusNames[textOf(after, 'status') as keyof typeof reportStatusNames]
    return textOf(before, 'status') === textOf(after, 'status') || !status
      ? { title: `Note on the report of ${about} changed` }
      : { title: `Report of ${about} is now ${status}`, tone: status === 'Resolved' ? 'ok' : 'plain' }
  },
  'session.end': plain('session.end'),
  'session.end_others': ({ after }) => ({
    title: 'Other sessions ended',
    detail: [numberOf(after, 'ended') === undefined ? undefined : `${numberOf(after, 'ended')} ended`],
  }),
  'subscription.expire': ({ before }) => ({
    title: 'Subscription ended',
    detail: [dateOf(before, 'subscriptionEndDate', 'Paid until')],
    tone: 'warn',
  }),
  'trial.approved': trialDecision('Trial approved', 'ok'),
  'trial.create_line': ({ after }) => ({ title: 'Trial line requested', detail: [dateOf(after, 'until', 'Until')] }),
  'trial.denied': trialDecision('Trial denied', 'bad'),
  'trial.edit': trialDecision('Trial request edited'),
  'trial.end': ({ after }) => ({ title: 'Trial ended', detail: [dateOf(after, 'expiryDate', 'It ran until')] }),
  'trial.pending': trialDecision('Trial request reopened'),
  'user.add_note': ({ after }) => ({ title: 'Internal note', detail: [quoted(after, 'note')] }),
  'user.adjust_credit': ({ before, after }) => {
    const by = adjustment(before, after)
    return {
      title: by === undefined ? 'Account credit adjusted' : `Account credit adjusted by ${formatSignedCents(by)}`,
      detail: [
        quoted(after, 'reason'),
        by === undefined ? undefined : `the credit was then ${formatCents(numberOf(after, 'accountCredit')!)}`,
      ],
      tone: 'ok',
    }
  },
  'user.cancel_two_factor': plain('user.cancel_two_factor', 'warn'),
  'user.confirm_email': ({ after }) => ({ title: 'Email address confirmed', detail: [textOf(after, 'email')] }),
  'user.confirm_password_reset': plain('user.confirm_password_reset'),
  'user.confirm_two_factor': plain('user.confirm_two_factor', 'ok'),
  'user.create': plain('user.create'),
  'user.create_admin': plain('user.create_admin'),
  'user.create_password_reset': () => ({ title: 'Password reset link requested', by: null }),
  'user.create_recovery_codes': plain('user.create_recovery_codes'),
  'user.import': ({ after }) => ({
    title: 'Imported from another system',
    detail: [
      numberOf(after, 'credit') === undefined ? undefined : `${formatCents(numberOf(after, 'credit')!)} of credit`,
      dateOf(after, 'paidUntil', 'Paid until'),
    ],
  }),
  'user.reset_password': () => ({
    title: 'Password reset',
    detail: ['has to be changed at the next login'],
    tone: 'warn',
  }),
  'user.reset_two_factor': plain('user.reset_two_factor', 'warn'),
  'user.start_view': plain('user.start_view'),
  'user.stop_view': plain('user.stop_view'),
  'user.update_password': plain('user.update_password'),
  'user.update_profile': ({ before, after }) => ({ title: 'Profile changed', detail: changedProfile(before, after) }),
  'user.update_role': ({ after }) => ({
    title: `Role changed to ${roleNames[textOf(after, 'role') as keyof typeof roleNames] ?? 'another role'}`,
    tone: 'warn',
  }),
  'user.undo_create': plain('user.undo_create'),
  'user.undo_subscription_edit': (facts) => ({
    title: 'Subscription edit undone',
    detail: subscriptionState(facts),
  }),
  'user.update_subscription': (facts) => ({ title: 'Subscription changed', detail: subscriptionState(facts) }),
  'user.news_off': ({ after }) => ({ title: 'News emails turned off', detail: [textOf(after, 'by')] }),
  'user.news_on': plain('user.news_on'),
  'user.use_recovery_code': ({ after }) => ({
    title: 'Recovery code used to log in',
    detail: [
      numberOf(after, 'recoveryCodesLeft') === undefined ? undefined : `${numberOf(after, 'recoveryCodesLeft')} left`,
    ],
    tone: 'warn',
  }),
}

/** Returns the title and details of an audit entry in plain words. Actions of older versions are shown by their name. */
export function auditPhrase(
  action: string,
  facts: Facts,
): { title: string; detail: string | null; tone: Required<Phrase>['tone'] } {
  const known = Object.hasOwn(phrases, action)
    ? phrases[action as keyof typeof phrases]!(facts)
    : { title: actionText(action) }
  return {
    title: known.title,
    detail: joined([...(known.detail ?? []), actor(known, facts)]),
    tone: known.tone ?? 'plain',
  }
}

/** Returns who acted; undefined for the customer and for the system. */
function actor({ by = 'by' }: Phrase, { actor, isOwn }: Facts): string | undefined {
  if (by === null || isOwn) return undefined
  return actor === null ? undefined : `${by} ${actor}`
}

function joined(parts: readonly (string | null | undefined | false)[]): string | null {
  const text = parts.filter(Boolean).join(', ')
  return text === '' ? null : text.charAt(0).toUpperCase() + text.slice(1)
}
