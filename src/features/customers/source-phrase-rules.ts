import { methodNames } from '#features/billing/rules.ts'
import { contentTypeNames, issueNames, statusNames as reportStatusNames } from '#features/reports/rules.ts'
import type { Instant } from '#kit/dates.ts'
import { formatCents, formatSignedCents } from '#kit/money.ts'
import type { TimelineEntry } from './admin-timeline-contract.ts'
import { dayText } from './phrase-rules.ts'

type Words = Pick<TimelineEntry, 'title'> & { detail?: string | null; tone?: TimelineEntry['tone'] }
const sentence = (...parts: (string | null | undefined | false)[]) => {
  const text = parts.filter(Boolean).join(', ')
  return text === '' ? null : text.charAt(0).toUpperCase() + text.slice(1)
}

interface Order {
  invoiceNumber: string
  kind: 'purchase' | 'plan_change'
  planName: string
  amount: number
  isRenewal: boolean
}
/** A new invoice: an order, a plan change, or the renewal that a job created. */
export function orderWords({ invoiceNumber, kind, planName, amount, isRenewal }: Order): Words {
  if (isRenewal) return { title: `Renewal invoice ${invoiceNumber}, ${formatCents(amount)}`, detail: planName }
  return kind === 'plan_change'
    ? { title: `Change to ${planName} requested, ${formatCents(amount)}`, detail: invoiceNumber }
    : { title: `Ordered ${planName}, ${formatCents(amount)}`, detail: invoiceNumber }
}

interface Submission {
  invoiceNumber: string
  amount: number
  paymentMethod: keyof typeof methodNames | null
  paymentNote: string | null
  confirmationCode: string | null
  isOpen: boolean
}
/** A payment that the customer reported. */
export const submissionWords = (payment: Submission): Words => ({
  title: `Payment of ${formatCents(payment.amount)} submitted${payment.paymentMethod ? ` by ${methodNames[payment.paymentMethod]}` : ''}`,
  detail: sentence(
    payment.invoiceNumber,
    payment.confirmationCode && `code ${payment.confirmationCode}`,
    payment.paymentNote && `note “${payment.paymentNote}”`,
  ),
  tone: payment.isOpen ? 'warn' : 'plain',
})

interface Booking {
  type: 'referral_bonus' | 'admin_adjustment' | 'payment' | 'refund'
  amount: number
  description: string
  author: string | null
}
/** A booking of account credit. */
export function creditWords({ type, amount, description, author }: Booking): Words {
  const by = author && `by ${author}`
  const tone = amount > 0 ? 'ok' : 'plain'
  if (type === 'admin_adjustment')
    return {
      title: `Account credit adjusted by ${formatSignedCents(amount)}`,
      detail: sentence(`“${description}”`, by),
      tone,
    }
  if (type === 'referral_bonus')
    return { title: `${formatCents(amount)} credit for a referral`, detail: description, tone }
  return { title: `Account credit ${formatSignedCents(amount)}`, detail: sentence(description, by), tone }
}

interface Report {
  contentType: keyof typeof contentTypeNames
  contentName: string
  issue: keyof typeof issueNames
  description: string | null
  status: keyof typeof reportStatusNames
}
export const reportWords = ({ contentType, contentName, issue, description, status }: Report): Words => ({
  title: `Reported ${contentName}: ${issueNames[issue].toLowerCase()}`,
  detail: sentence(
    contentTypeNames[contentType],
    reportStatusNames[status].toLowerCase(),
    description && `“${description}”`,
  ),
  tone: status === 'pending' || status === 'reviewing' ? 'warn' : 'plain',
})

export const trialWords = (trial: { device: string; message: string; status: string }): Words => ({
  title: 'Trial requested',
  detail: sentence(trial.device, `“${trial.message}”`),
  tone: trial.status === 'pending' ? 'warn' : 'plain',
})

export const inquiryWords = (inquiry: { message: string; answeredAt: Instant | null; status: string }): Words => ({
  title: 'Inquiry from this email address',
  detail: sentence(`“${inquiry.message}”`, inquiry.answeredAt && `answered ${dayText(inquiry.answeredAt)}`),
  tone: inquiry.status === 'open' ? 'warn' : 'plain',
})

const mailStates = {
  queued: 'Waiting to be sent to',
  sent: 'Sent to',
  failed: 'Could not be delivered to',
  kept: 'Not sent, no mail server is set up:',
} as const
/** An email, by the title of its template. */
export const mailWords = (title: string, mail: { status: keyof typeof mailStates; recipient: string }): Words => ({
  title: `Email: “${title}”`,
  detail: `${mailStates[mail.status]} ${mail.recipient}`,
  tone: mail.status === 'failed' ? 'bad' : 'plain',
})

/** A login whose session is still open. Ended sessions are not stored. */
export const loginWords = (device: string, ip: string | null): Words => ({
  title: 'Logged in',
  detail: sentence(device, ip),
})

const jobCauses = {
  purchase: 'a confirmed payment',
  plan_change: 'a plan change',
  grant: 'an edit of the subscription',
  undo: 'a payment that is no longer confirmed',
  segment: 'the next plan that began',
  end: 'the end of the subscription',
  trial: 'a trial',
  trial_change: 'a changed trial',
  repair: 'a repair after a comparison',
  stray: 'an unknown line',
  move: 'a move to another panel',
  left: 'a move to another panel',
} as const
const jobTasks = {
  manual: 'Do this in your panel, then mark it as done',
  rejected: 'The panel refused the request',
  unknown: 'The panel did not confirm the request',
  tries: 'Several attempts failed',
  package: 'No package is chosen for this plan',
  mismatch: 'The panel confirmed the request, but the line still differs',
  gone: 'The panel no longer has this line',
} as const
/** A provisioning job that is not done. */
export const jobWords = (job: { cause: keyof typeof jobCauses; task: keyof typeof jobTasks | null }): Words => ({
  title: job.task ? 'Line needs an administrator' : 'Line is being updated',
  detail: sentence(`because of ${jobCauses[job.cause]}`, job.task && jobTasks[job.task].toLowerCase()),
  tone: job.task ? 'warn' : 'plain',
})
