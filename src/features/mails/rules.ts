import type { MailStatus } from './admin-contract.ts'
import type { MailServer } from './contract.ts'

/** No mail server: emails are written to the log and not sent. */
export const defaultMailServer: MailServer = {
  ...{ host: '', port: null, username: '', address: '', name: '', ca: '' },
  connection: { port: 465, tls: 'implicit' },
}

/** Minutes between a failed attempt and the next; when they are used up, the mail has failed. */
export const retryDelays = [1, 5, 15, 60] as const

export const statusNames: Record<MailStatus, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  kept: 'Not sent',
}

/** Minutes to wait after the given number of attempts; undefined when no attempt is left. */
export const retryDelayAfter = (attempts: number): number | undefined => retryDelays[attempts - 1]

/** Whether an administrator may resend a mail: not when it is queued, and not when it needs a link that is gone. */
export const canResend = (mail: { status: MailStatus; needsLink: boolean; hasLink: boolean }): boolean =>
  mail.status !== 'queued' && (!mail.needsLink || mail.hasLink)

/** Whether an administrator may see its link: only when the mail was not sent because there is no mail server. */
export const canReveal = (mail: { status: MailStatus; hasLink: boolean }): boolean =>
  mail.status === 'kept' && mail.hasLink
