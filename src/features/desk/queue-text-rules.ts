import { methodNames } from '#features/billing/rules.ts'
import { kindLabel, moneyText, railNames } from '#features/payments/rules.ts'
import { issueNames } from '#features/reports/rules.ts'
import { formatCents } from '#kit/money.ts'
import type { QueueItem } from './admin-queue-contract.ts'

const taskTitles: Record<Extract<QueueItem, { kind: 'line' }>['task'], (who: string) => string> = {
  manual: (who) => `Set up the line of ${who}`,
  rejected: (who) => `Line failed for ${who}`,
  unknown: (who) => `Line not confirmed for ${who}`,
  tries: (who) => `Line failed for ${who}`,
  package: (who) => `No package for the line of ${who}`,
  mismatch: (who) => `Line of ${who} differs in the panel`,
  gone: (who) => `Line of ${who} is missing in the panel`,
}

/** Returns the title of an entry: what is waiting, and for whom. */
export function titleOf(item: QueueItem): string {
  switch (item.kind) {
    case 'payment':
      return item.amount > 0 ? `Payment from ${item.username}` : `Plan change of ${item.username}`
    case 'card_link':
      return `Card link for ${item.username}`
    case 'line':
      return taskTitles[item.task](item.username ?? 'an unknown customer')
    case 'trial':
      return `Trial for ${item.username}`
    case 'report':
      return item.reports.length > 1
        ? `${item.reports.length} reports on ${item.contentName}`
        : `${item.username} reports ${item.contentName}`
    case 'inquiry':
      return `Inquiry from ${item.name}`
    case 'ticket':
      return `${item.from} waits for an answer`
    case 'refund':
      return `${item.username} requests a refund of ${formatCents(item.amount)}`
    case 'received':
      return `${item.payer || 'An unknown payer'} sent ${moneyText(item.amount, item.currency)}`
    case 'mailbox':
      return item.isPaused ? 'Payment mailbox paused: wrong password' : 'Payment mailbox not read'
  }
}

const quoted = (text: string) => `“${text.replaceAll(/\s+/g, ' ').trim()}”`
/** Returns the second row of an entry: details such as the amount, or why it is waiting. `at` is the formatted time since which it has been waiting. */
export function detailOf(item: QueueItem, at: string): string {
  switch (item.kind) {
    case 'payment': {
      const how = item.method ? ` by ${methodNames[item.method]}` : ''
      const what =
        item.amount > 0
          ? `${formatCents(item.amount)}${how} for ${item.invoiceNumber}`
          : `No charge, ${item.invoiceNumber}`
      return [what, ...(item.flags.length > 0 ? [item.flags.join(', ')] : [item.planName])].join('. ')
    }
    case 'card_link':
      return `Requested ${at}. ${item.invoiceNumber}, ${formatCents(item.amount)}`
    case 'line':
      return [item.message ?? `Created ${at}.`, ...(item.invoiceNumber ? [item.invoiceNumber] : [])].join(' ')
    case 'trial':
      return `${item.device}. ${item.isRepeated ? 'Requested a trial before' : 'First request'}`
    case 'report':
      return `${issueNames[item.issue]}, first reported ${at}${item.reporters > 1 ? `, by ${item.reporters} customers` : ''}`
    case 'inquiry':
      return quoted(item.message)
    case 'ticket':
      return [
        `${item.subject}: ${quoted(item.message)}`,
        ...(item.assignee ? [`Assigned to ${item.assignee}`] : []),
      ].join('. ')
    case 'refund':
      return `${item.invoiceNumber}. ${quoted(item.reason)}`
    case 'received':
      return [`${railNames[item.rail]} ${at}`, kindLabel({ kind: item.caseKind, difference: item.difference })]
        .concat(item.invoiceNumber ?? [])
        .join('. ')
    case 'mailbox':
      return `Payment emails have not been read since ${at}.${item.message ? ` ${item.message}` : ''}`
  }
}

/** Whether the button of an entry acts immediately. Otherwise the button opens the dialog or the field that the next step needs. */
export function actsImmediately(item: QueueItem): boolean {
  if (item.kind === 'payment') return item.flags.length === 0
  if (item.kind === 'ticket') return true
  if (item.kind === 'line') return item.canRetry
  return item.kind === 'trial' && item.canApprove && !item.isRepeated
}

/** Returns the label of the button of an entry. */
export function actionOf(item: QueueItem): string {
  switch (item.kind) {
    case 'payment':
      if (!actsImmediately(item)) return 'Review'
      return item.amount > 0 ? `Confirm ${formatCents(item.amount)}` : 'Approve Change'
    case 'card_link':
      return 'Send Link'
    case 'line':
      return item.canRetry ? 'Retry Line' : 'Open Task'
    case 'trial':
      return actsImmediately(item) ? `Approve ${trialHours} h` : 'Review'
    case 'report':
      return item.reports.length > 1 ? `Resolve ${item.reports.length}` : 'Resolve'
    case 'inquiry':
      return 'Answer'
    case 'ticket':
      return 'Mark Solved'
    case 'refund':
    case 'received':
      return 'Review'
    case 'mailbox':
      return 'Open Settings'
  }
}

/** The length, in hours, of a trial that is approved from the queue. */
export const trialHours = 24
